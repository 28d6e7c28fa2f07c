package dev.numera.model;

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
    record Import(Allocation number, Change change) implements Request {}

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
