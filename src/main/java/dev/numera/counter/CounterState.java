package dev.numera.counter;

import java.time.Instant;

/**
 * What the counter entity holds.
 *
 * @param next the number that the next request gets first; may stand one increment beyond the end of the range
 * @param allocated how many numbers were handed out so far
 * @param epoch rises with advance, retire and revive; whatever was computed or reserved under another epoch is void
 * @param operationId who wrote last: the id of a frozen group, by which its outcome is found out
 */
public record CounterState(long next, long allocated, long epoch, String operationId, Instant changedAt) {
    static final long FIRST_EPOCH = 1;

    static CounterState first(long start, String operationId, Instant now) {
        return new CounterState(start, 0, FIRST_EPOCH, operationId, now);
    }

    /**
     * The next epoch is the time, so that an advance after a restore reaches an epoch that no process has seen before the restore,
     * and at least one more, whatever the clock says.
     */
    CounterState inNewEpoch(long newNext, String newOperationId, Instant now) {
        return new CounterState(newNext, allocated, Math.max(epoch + 1, now.toEpochMilli()), newOperationId, now);
    }

    /**
     * Whether this state is older than one that was seen before: somebody put an old copy back. Not even a new epoch excuses a lower next
     * number, since nothing moves a counter back; but it may count fewer numbers, those that an advance after a restore passed over.
     */
    boolean isBehind(CounterState seen, Series series) {
        if (!series.cycle() && series.isBefore(next, seen.next)) {
            return true;
        }
        return epoch == seen.epoch ? allocated < seen.allocated : epoch < seen.epoch;
    }
}
