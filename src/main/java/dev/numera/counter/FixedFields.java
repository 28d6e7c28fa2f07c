package dev.numera.counter;

/**
 * The fields of a definition that no longer change once its first counter exists: numbers under two readings of them could be
 * equal. Whatever makes a counter marks the definition as in use in the same transaction, which fixes them.
 */
public record FixedFields(
        Guarantee guarantee, long start, long increment, boolean cycle, String resetEvery, String timeZone, int fiscalYearStart) {
    /** The word for a sequence that is never reset. */
    private static final String NEVER = "never";

    /** Whether there is one counter for ever, not one for each period. */
    public boolean isNeverReset() {
        return resetEvery.equals(NEVER);
    }

    /** Whether keys are taken: there is a ledger, and no second round that would repeat its numbers. */
    public boolean takesKeys() {
        return guarantee != Guarantee.CACHED && !cycle;
    }
}
