package dev.numera.model;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** What a sequence's definition says to its counters. Immutable and thread-safe. */
public interface Terms {
    FixedFields fixed();

    Series series();

    TextFormat format();

    /** Whether an imported number has its text by the revision of the format that it names. */
    boolean covers(Outcome.Allocation imported);

    /** The share of the range at which its owner is to be warned. */
    int warnAtPercent();

    /** Whether no number is given under a date before the last one of its counter. */
    boolean isDateOrdered();

    /** Tomorrow, where dates are in order: numbers under a later one would leave none for the days before it. */
    default LocalDate lastDateInOrder(Instant now) {
        return fixed().day(now).plusDays(1);
    }

    boolean isRetired();

    /** Why a retired sequence gives no new numbers. */
    static ProblemException retired(SequenceName name) {
        return new ProblemException(
                ProblemType.RETIRED,
                "The sequence " + name + " is retired. Its owner can revive it with PUT and If-None-Match: *.");
    }

    /** Whether a number may have been taken under it: from then on its fixed fields are fixed. */
    boolean isInUse();

    /** Of the definition's row, for the write that marks it as in use; null where it is not known. */
    @Nullable
    String version();

    /** How numbers become texts. Immutable and thread-safe. */
    interface TextFormat {
        /** For sequences without a format. */
        TextFormat NONE = new TextFormat() {
            @Override
            public int revision() {
                return 0;
            }

            @Override
            public @Nullable String text(LocalDate date, long number) {
                return null;
            }
        };

        /** Whether dates of two centuries can have one text. */
        default boolean tellsYearByTwoDigits() {
            return false;
        }

        /** Which of the sequence's formats this is, counted from 1. */
        int revision();

        /** Null without a format. */
        @Nullable
        String text(LocalDate date, long number);
    }

    /** Where a counter gets the terms of its sequence. Calls may block for storage requests. */
    interface Source {
        /** The terms, which may be as old as the instance keeps definitions. */
        Terms current();

        /** The terms as they stand in storage now: the counter has shown that the kept ones may be out of date. */
        Terms reloaded();

        /**
         * The terms with their version, for a write that marks the definition. The sequence's row in the index was
         * seen, or is written before.
         *
         * @throws ProblemException {@code rolled-back} where the index knows another definition
         */
        Terms markable();

        /** These terms are in use now, by a write that was won. */
        void marked(Terms terms);
    }
}
