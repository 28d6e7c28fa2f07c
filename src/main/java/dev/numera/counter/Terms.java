package dev.numera.counter;

import java.time.LocalDate;

/**
 * What a sequence's definition says to its counters. Immutable.
 *
 * @param isPinned whether the fixed fields are known to be the pinned ones
 */
public record Terms(FixedFields fixed, Series series, TextFormat format, boolean isRetired, boolean isPinned) {
    /** How numbers become texts. Immutable and thread-safe. */
    public interface TextFormat {
        /** For sequences without a format. */
        TextFormat NONE = new TextFormat() {
            @Override
            public int revision() {
                return 0;
            }

            @Override
            public String text(LocalDate date, long number) {
                return null;
            }
        };

        /** Which of the sequence's formats this is, counted from 1. */
        int revision();

        String text(LocalDate date, long number);
    }

    /** Where a counter gets the terms of its sequence. Calls may block for storage requests. */
    public interface Source {
        /** The terms, which may be as old as the instance keeps definitions. */
        Terms current();

        /** The terms as they stand in storage now: the counter has shown that the kept ones may be out of date. */
        Terms reloaded();
    }
}
