package dev.numera.counter;

/**
 * The fields of a definition that no longer change once its first counter exists: numbers under two readings of them could be
 * equal. They are pinned in the counters' partition, in one transaction with the first counter.
 */
public record FixedFields(
        Guarantee guarantee, long start, long increment, boolean cycle, String resetEvery, String timeZone, int fiscalYearStart) {
    /** Whether keys are taken: there is a ledger, and no second round that would repeat its numbers. */
    public boolean takesKeys() {
        return guarantee != Guarantee.CACHED && !cycle;
    }
}
