package dev.numera.client;

import java.time.Duration;
import java.time.LocalDate;

/**
 * The options of {@code state}; null means the default. Start with {@link #NONE}.
 *
 * @param date a date in the period; today in the sequence's time zone by default
 * @param tryFor the total time for which the call is retried
 */
public record StateOptions(LocalDate date, Duration tryFor) {
    /** The defaults. */
    public static final StateOptions NONE = new StateOptions(null, null);

    /** Returns these options with a date. */
    public StateOptions withDate(LocalDate day) {
        return new StateOptions(day, tryFor);
    }

    /** Returns these options with a total time. */
    public StateOptions withTryFor(Duration time) {
        return new StateOptions(date, time);
    }
}
