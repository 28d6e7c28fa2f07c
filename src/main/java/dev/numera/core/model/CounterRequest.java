package dev.numera.core.model;

import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request of one caller to one counter, such as for numbers or for an advance. */
public sealed interface CounterRequest
        permits NumberRequest,
                CounterRequest.Advance,
                CounterRequest.Import,
                CounterRequest.Accept,
                CounterRequest.Skip,
                CounterRequest.NewEpoch {
    /** Advances the counter to the first number at or beyond {@code nextAtLeast}, in the increment's direction. */
    record Advance(long nextAtLeast, ChangeNote note) implements CounterRequest {}

    /**
     * Adds a number that another system has allocated to the ledger.
     *
     * @param stated the number as the row of the import states it
     * @param number the same number as an entry of the ledger, with a key
     * @param change the entry of the change log for the whole import, which is stored with its numbers
     * @param contradiction the problem if another row of the file contradicts this one; this row is then refused unless
     *     the ledger already contains it. Null if no row contradicts it
     */
    record Import(ImportedNumber stated, Allocation number, Change change, @Nullable ProblemException contradiction)
            implements CounterRequest {
        /** Like {@link NumberRequest#hasKeyForms}, for the imported key. */
        public boolean hasKeyForms() {
            return !KeyForms.isOnlyOne(stated.keyAsSent());
        }

        /** Like {@link NumberRequest#keyForms}, for the imported key. */
        public List<String> keyForms() {
            return KeyForms.of(stated.keyAsSent());
        }

        /**
         * Returns the contradiction between the row and the ledger's allocation under the same key; empty if they
         * agree. Compares only the fields that the row states, so a row without a date agrees with any date.
         */
        public Optional<ProblemException> mismatch(Allocation earlier) {
            boolean isSame = earlier.count() == 1
                    && earlier.first() == number.first()
                    && earlier.period().equals(number.period());
            if (!isSame) {
                return Optional.of(new ProblemException(
                        ProblemType.KEY_REUSED,
                        "The key '" + number.key() + "' already has "
                                + (earlier.count() == 1
                                        ? "the number " + earlier.first()
                                        : "the numbers " + earlier.first() + " to " + earlier.last())
                                + (earlier.period().isEmpty() ? "" : " of the period " + earlier.period())
                                + ". Each key has one number for ever: correct the row, or take another key."));
            }
            return Stream.of(otherText(earlier), otherDate(earlier), otherStatus(earlier), otherReason(earlier))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .map(difference -> new ProblemException(
                            ProblemType.KEY_REUSED,
                            "The key '" + number.key() + "' already has this number, but " + difference));
        }

        private Optional<String> otherText(Allocation earlier) {
            String printed = Objects.requireNonNullElseGet(earlier.firstText(), () -> Long.toString(earlier.first()));
            return stated.text() == null || stated.text().equals(printed)
                    ? Optional.empty()
                    : Optional.of("with the text " + printed + ", not " + stated.text()
                            + ". Each key has one text for ever: correct the row.");
        }

        private Optional<String> otherDate(Allocation earlier) {
            return stated.date() == null || stated.date().equals(earlier.date())
                    ? Optional.empty()
                    : Optional.of("with the date " + earlier.date() + ", not " + stated.date() + ". Correct the row.");
        }

        private Optional<String> otherStatus(Allocation earlier) {
            Status.Kind kind = stated.statedStatus();
            if (kind == null || agrees(kind, earlier)) {
                return Optional.empty();
            }
            Status.Kind present = earlier.status().kind();
            return Optional.of("it is not " + EnumWord.of(kind) + ": it is " + EnumWord.of(present)
                    + (present == Status.Kind.VOID
                            ? ", which is final. Correct the row."
                            : ". To change that, POST to its status; else correct the row."));
        }

        /**
         * Whether the ledger agrees with the status that the row states. A row that was true when its number was first
         * imported still agrees after the status has changed.
         */
        private static boolean agrees(Status.Kind kind, Allocation earlier) {
            Status present = earlier.status();
            if (kind == present.kind()) {
                return true;
            }
            if (earlier.importId() == null || present.at() == null) {
                return false;
            }
            return kind == Status.Kind.ISSUED
                    ? present.at().isAfter(earlier.allocatedAt())
                    : present.history().stream().anyMatch(set -> set.kind() == kind);
        }

        private Optional<String> otherReason(Allocation earlier) {
            String reason = earlier.status().reason();
            return stated.reason() == null || stated.reason().equals(reason)
                    ? Optional.empty()
                    : Optional.of("it is void because '" + reason + "', not because '" + stated.reason()
                            + "'. Correct the row.");
        }
    }

    /**
     * Accepts numbers that an import left out. They belong to no document, and closings no longer report them as
     * missing.
     *
     * @param lowest the least number
     * @param highest the greatest one
     * @param note the reason, and the actor who accepts the gap
     */
    record Accept(long lowest, long highest, ChangeNote note) implements CounterRequest {}

    /**
     * Changes only the epoch of an existing counter. A write that an instance computed before then is lost, and each
     * instance reads the definition again with its next read of the counter.
     */
    record NewEpoch() implements CounterRequest {}

    /**
     * Passes over numbers after a restore, because the sequence may have allocated them after the backup was made.
     * Applies to retired sequences as well.
     *
     * @param numbers how many to pass over; 0 only starts a new epoch
     */
    record Skip(long numbers, ChangeNote note, Kind kind) implements CounterRequest {
        private static final ChangeNote OPENING = new ChangeNote(null, "opened beyond the margin of a restore");

        /** The kinds of a skip after a restore: advance the counter, open a missing one, or accept its position. */
        public enum Kind {
            /**
             * Advances the counter by the margin. If fewer than twice that many numbers are left, the counter keeps its
             * position and is marked as restored.
             */
            BY_MARGIN,
            /** Like {@link #BY_MARGIN} for a counter with the mark of a restore. Any other counter does not change. */
            RESTORED,
            /**
             * Creates the counter beyond the restore margin of the definition that the write is planned by, regardless
             * of how many numbers are left. An existing counter does not change.
             */
            OPENING,
            /** Keeps the counter's position and removes the mark that a restore set. */
            ACCEPTING
        }

        public Skip(long numbers, ChangeNote note) {
            this(numbers, note, Kind.BY_MARGIN);
        }

        /** Returns this skip for a counter only as long as it has the mark of a restore. */
        public Skip ifRestored() {
            return new Skip(numbers, note, Kind.RESTORED);
        }

        /**
         * Opens a counter that a restore may have lost, beyond the restore margin. The request states no margin,
         * because the definition that its sender knows may be older than the latest restore.
         */
        public static Skip opening() {
            return new Skip(0, OPENING, Kind.OPENING);
        }

        /**
         * Returns a request that accepts a restored counter at its present position, because the operator states that
         * it is correct.
         */
        public static Skip accepting(ChangeNote note) {
            return new Skip(0, note, Kind.ACCEPTING);
        }
    }
}
