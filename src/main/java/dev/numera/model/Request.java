package dev.numera.model;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one caller wants of a counter. */
public sealed interface Request {
    /**
     * What may be requested of any other instance in its place, whichever definition that one knows; empty where
     * nothing may.
     */
    default Optional<Allocate> forPeers() {
        return Optional.empty();
    }

    /**
     * Numbers.
     *
     * @param key the caller's own name for this request, or null
     * @param count from 1 to 10,000, or a block's size; all or nothing
     * @param date what the format's date tokens show
     * @param isDateGiven whether the caller chose the date: then a known key must belong to the date's period
     * @param isReserved whether the numbers are reserved and not issued; only with a key, and no part of what it
     *     identifies
     * @param refusal why there are no numbers for it, unless its key is a known one; null where there may be
     * @param refusalByTwoDigits as refusal, but only where the texts show the year by two digits: that is up to the
     *     terms by which they are written
     * @param actor who requests them, as the caller stated; null where the caller did not. No part of what a key
     *     identifies
     */
    record Allocate(
            @Nullable String key,
            int count,
            LocalDate date,
            boolean isDateGiven,
            boolean isReserved,
            @Nullable ProblemException refusal,
            @Nullable ProblemException refusalByTwoDigits,
            @Nullable String actor)
            implements Request {
        /** Brackets, quotes, commas, a date, a count and two numbers of 20 digits. */
        private static final int LEDGER_UNITS_BESIDE_KEY = 70;

        public Allocate {
            if (isReserved && key == null) {
                throw new IllegalArgumentException("Numbers are reserved under a key.");
            }
        }

        /** For a date that no format refuses, by an unknown actor. */
        public Allocate(
                @Nullable String key,
                int count,
                LocalDate date,
                boolean isDateGiven,
                boolean isReserved,
                @Nullable ProblemException refusal) {
            this(key, count, date, isDateGiven, isReserved, refusal, null, null);
        }

        /** Numbers that are issued, to an unknown actor. */
        public Allocate(@Nullable String key, int count, LocalDate date, boolean isDateGiven) {
            this(key, count, date, isDateGiven, false, null, null, null);
        }

        /** The same under another date. */
        public Allocate on(LocalDate other) {
            return new Allocate(key, count, other, isDateGiven, isReserved, refusal, refusalByTwoDigits, actor);
        }

        /** Why there are no numbers for it by this definition; null where there may be. */
        @Nullable
        public ProblemException refusal(Sequence sequence) {
            return refusal == null && sequence.tellsYearByTwoDigits(sequence.formatRevision())
                    ? refusalByTwoDigits
                    : refusal;
        }

        @Override
        public Optional<Allocate> forPeers() {
            return refusal == null && refusalByTwoDigits == null ? Optional.of(this) : Optional.empty();
        }

        /** Why it may not have the numbers of an earlier request with its key; empty if it may. */
        public Optional<ProblemException> mismatch(String period, Allocation earlier) {
            if (count != earlier.count()) {
                return Optional.of(reused("with count " + earlier.count() + ", not " + count));
            }
            if (isDateGiven && !period.equals(earlier.period())) {
                return Optional.of(reused("in the period " + earlier.period() + ", not " + period));
            }
            return Optional.empty();
        }

        private ProblemException reused(String difference) {
            return new ProblemException(
                    ProblemType.KEY_REUSED,
                    "The key '" + key + "' already has an allocation " + difference
                            + ". Send the request as it was, or another key.");
        }

        /** The status of its numbers when they are allocated. */
        public Status status(Instant allocatedAt) {
            return isReserved ? Status.reserved(allocatedAt, actor) : Status.SIMPLY_ISSUED;
        }

        /** How many rows of the ledger are its own: one by key, and a mark where it is reserved. */
        public int rows() {
            return key == null ? 0 : isReserved ? 2 : 1;
        }

        /**
         * How many UTF-16 units an entry for this key takes in the ledger at most: JSON puts a backslash before quotes
         * and backslashes.
         */
        public static int ledgerUnits(String key) {
            int escaped = (int)
                    key.chars().filter(unit -> unit == '"' || unit == '\\').count();
            return key.length() + escaped + LEDGER_UNITS_BESIDE_KEY;
        }

        /** How many UTF-16 units its entry in number order takes at most. */
        public int ledgerUnits() {
            return key == null ? 0 : ledgerUnits(key);
        }
    }

    /** A block of numbers to allocate from memory: as many as are left, but at most {@code size}. */
    record TakeBlock(int size) implements Request {
        /** All of it or nothing: where fewer are left, a peer request is not answered. */
        @Override
        public Optional<Allocate> forPeers() {
            return Optional.of(new Allocate(null, size, LocalDate.EPOCH, false));
        }
    }

    /** The next number shall be the first one at or beyond this, in the increment's direction. */
    record Advance(long nextAtLeast, ChangeNote note) implements Request {}

    /**
     * Numbers that another system has allocated, to be put into the ledger. As many of them as fit one write, from the
     * first one on.
     *
     * @param numbers one number each, of one period, in the order of the series
     * @param change that of the whole import, which is kept with the numbers
     */
    record Import(List<Allocation> numbers, Change change) implements Request {
        public Import {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * Passes over so many numbers, or over all that are left; a retired sequence too. For after a restore: it is
     * unknown which numbers were allocated since the copy was made.
     *
     * @param isOpening whether it is for a counter that is missing, and leaves one that is there as it is
     */
    record Skip(long numbers, ChangeNote note, boolean isOpening) implements Request {
        private static final ChangeNote OPENING = new ChangeNote(null, "opened beyond the margin of a restore");

        public Skip(long numbers, ChangeNote note) {
            this(numbers, note, false);
        }

        /** Opens a counter that a restore may have lost, beyond the restore's margin. */
        public static Skip opening(long margin) {
            return new Skip(margin, OPENING, true);
        }
    }
}
