package dev.numera.client;

import java.time.Duration;
import java.time.LocalDate;

/**
 * The options of {@code next}, {@code nextWithoutKey} and {@code reserve}; null means the default. Start with
 * {@link #NONE}.
 *
 * @param count the count of numbers to allocate, all or none; 1 by default
 * @param date the date of the document; today in the sequence's time zone by default
 * @param actor the person or program that allocates
 * @param tryFor the total time for which this call is retried
 */
public record NextOptions(Integer count, LocalDate date, String actor, Duration tryFor) {
    /** The defaults. */
    public static final NextOptions NONE = new NextOptions(null, null, null, null);

    /** Returns these options with a count. */
    public NextOptions withCount(int numbers) {
        return new NextOptions(numbers, date, actor, tryFor);
    }

    /** Returns these options with a date. */
    public NextOptions withDate(LocalDate day) {
        return new NextOptions(count, day, actor, tryFor);
    }

    /** Returns these options with an actor. */
    public NextOptions withActor(String name) {
        return new NextOptions(count, date, name, tryFor);
    }

    /** Returns these options with a total time. */
    public NextOptions withTryFor(Duration time) {
        return new NextOptions(count, date, actor, time);
    }
}
