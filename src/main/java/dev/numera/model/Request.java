package dev.numera.model;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Optional;

/** What one caller wants of a counter. */
public sealed interface Request permits Take, Request.Advance, Request.Import, Request.Skip {
    /** The next number shall be the first one at or beyond this, in the increment's direction. */
    record Advance(long nextAtLeast, ChangeNote note) implements Request {}

    /**
     * A number that another system has allocated, to be put into the ledger.
     *
     * @param number with a key
     * @param change that of the whole import, which is kept with its numbers
     */
    record Import(Allocation number, Change change) implements Request {
        /** Why a number is not the one that its key has already; empty where it is. */
        public static Optional<ProblemException> mismatch(Allocation number, Allocation earlier) {
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
            return number.status().isVoid() && !earlier.status().isVoid()
                    ? Optional.of(new ProblemException(
                            ProblemType.KEY_REUSED,
                            "The key '" + number.key() + "' already has this number, but it is not void. To void it,"
                                    + " POST to its status."))
                    : Optional.empty();
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
