package dev.numera.counter;

import java.time.LocalDate;

/** What one caller wants of a counter. */
public sealed interface Request {
    /**
     * Numbers.
     *
     * @param key the caller's own name for this request, or null
     * @param count from 1 to 10,000, all or nothing
     * @param date what the format's date tokens show
     * @param isDateGiven whether the caller chose the date: then a known key must belong to the date's period
     */
    record Allocate(String key, int count, LocalDate date, boolean isDateGiven) implements Request {}

    /** A block of numbers to hand out from memory: as many as are left, but at most {@code size}. */
    record Reserve(int size) implements Request {}

    /** The next number shall be the first one at or beyond this, in the increment's direction. */
    record Advance(long nextAtLeast) implements Request {}

    /**
     * Passes over so many numbers, or over all that are left; a retired sequence too. For after a restore: nobody knows which numbers were
     * handed out since the copy was made.
     */
    record Skip(long numbers) implements Request {}

    /** Voids what other instances hold of the counter: versions, blocks, definitions. */
    record Renew() implements Request {}
}
