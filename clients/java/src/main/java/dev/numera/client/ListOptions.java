package dev.numera.client;

import java.time.Duration;
import java.time.LocalDate;

/**
 * The options of {@code batch}; null means the default. Start with {@link #NONE}.
 *
 * @param date the date of the documents
 * @param reserve whether the numbers are reserved
 * @param actor the person or program that allocates
 * @param tryFor the total time for which each request is retried
 * @param waitFor the time that the result may take
 */
public record ListOptions(LocalDate date, boolean reserve, String actor, Duration tryFor, Duration waitFor) {
    /** The defaults. */
    public static final ListOptions NONE = new ListOptions(null, false, null, null, null);

    /** Returns these options with a date. */
    public ListOptions withDate(LocalDate day) {
        return new ListOptions(day, reserve, actor, tryFor, waitFor);
    }

    /** Returns these options for reserved numbers. */
    public ListOptions withReserve() {
        return new ListOptions(date, true, actor, tryFor, waitFor);
    }

    /** Returns these options with an actor. */
    public ListOptions withActor(String name) {
        return new ListOptions(date, reserve, name, tryFor, waitFor);
    }

    /** Returns these options with a total time. */
    public ListOptions withTryFor(Duration time) {
        return new ListOptions(date, reserve, actor, time, waitFor);
    }

    /** Returns these options with a time for the result. */
    public ListOptions withWaitFor(Duration time) {
        return new ListOptions(date, reserve, actor, tryFor, time);
    }
}
