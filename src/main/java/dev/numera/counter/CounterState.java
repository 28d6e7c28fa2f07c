package dev.numera.counter;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What the counter entity holds.
 *
 * @param next the number that the next request gets first; may stand beyond the end of the range
 * @param allocated how many numbers were handed out so far
 * @param epoch another one after each advance; blocks that were reserved under another epoch are void
 * @param operationId who wrote last: the id of a frozen group, by which its outcome is found out
 * @param lastDate under which numbers were given last; null where there are none, or their dates have no order
 * @param firstGiven the first number that it gave by itself, or may have given before an old table was put back; null
 *     where it gave none, or an older version of this program did
 * @param firstGivenAt when the first of the allocated numbers were handed out; null where none were, or an older
 *     version of this program did that
 * @param importedFrom the number before the start that was imported and is farthest from it; null where there is none
 */
public record CounterState(
        long next,
        long allocated,
        long epoch,
        String operationId,
        Instant changedAt,
        @Nullable LocalDate lastDate,
        @Nullable Long firstGiven,
        @Nullable Instant firstGivenAt,
        @Nullable Long importedFrom) {
    private static final String NOBODY = "";

    /** One of which it is not known how it began. */
    public CounterState(
            long next,
            long allocated,
            long epoch,
            String operationId,
            Instant changedAt,
            @Nullable LocalDate lastDate) {
        this(next, allocated, epoch, operationId, changedAt, lastDate, null, null, null);
    }

    /** One whose dates have no order. */
    public CounterState(long next, long allocated, long epoch, String operationId, Instant changedAt) {
        this(next, allocated, epoch, operationId, changedAt, null);
    }

    /** The epoch is the time, so that a counter that is begun again is not taken for the one that was lost. */
    static CounterState first(long start, Instant now) {
        return new CounterState(start, 0, now.toEpochMilli(), NOBODY, now);
    }

    /**
     * The next epoch is the time, so that an advance after a restore reaches an epoch that no process has seen before
     * the restore, and at least one more, whatever the clock says.
     */
    CounterState inNewEpoch(long newNext, String newOperationId, Instant now) {
        return new CounterState(
                newNext,
                allocated,
                epochAfter(now),
                newOperationId,
                now,
                lastDate,
                firstGiven,
                firstGivenAt,
                importedFrom);
    }

    private long epochAfter(Instant now) {
        return Math.max(epoch + 1, now.toEpochMilli());
    }

    /** Nobody knows any more which numbers from the next one on were given. */
    CounterState perhapsGiven() {
        return new CounterState(
                next,
                allocated,
                epoch,
                operationId,
                changedAt,
                lastDate,
                firstGiven == null ? (Long) next : firstGiven,
                firstGivenAt,
                importedFrom);
    }

    /** After numbers were given from here on, or none. */
    CounterState given(
            long first, long newNext, long newAllocated, @Nullable LocalDate date, String newOperationId, Instant now) {
        // Where an older version gave the first ones, nobody knows which they were, and never will.
        boolean isFirst = allocated == 0 && newAllocated > 0;
        return new CounterState(
                newNext,
                newAllocated,
                epoch,
                newOperationId,
                now,
                date,
                isFirst && firstGiven == null ? (Long) first : firstGiven,
                isFirst && firstGivenAt == null ? now : firstGivenAt,
                importedFrom);
    }

    /** After an import. */
    CounterState imported(
            long newNext,
            @Nullable LocalDate date,
            @Nullable Long newImportedFrom,
            String newOperationId,
            Instant now) {
        long newEpoch = newNext == next ? epoch : epochAfter(now);
        return new CounterState(
                newNext, allocated, newEpoch, newOperationId, now, date, firstGiven, firstGivenAt, newImportedFrom);
    }

    /**
     * Whether it can be proved, without a look at the ledger, that a number was never given by this counter: it comes
     * with or after the next one, or before the first one that it gave.
     */
    boolean neverGave(long number, Series series) {
        if (!series.isBefore(number, next)) {
            return true;
        }
        if (firstGiven != null) {
            return series.isBefore(number, firstGiven);
        }
        return allocated == 0 || series.isBefore(number, series.start());
    }

    /**
     * Whether this state is older than one that was seen before: somebody put an old copy back. Not even a new epoch
     * excuses a lower next number, since nothing moves a counter back; but it may count fewer numbers, those that an
     * advance after a restore passed over. Epochs are not compared by size: they come from clocks, and one that was a
     * day ahead must not lock anybody out.
     */
    boolean isBehind(CounterState seen, FixedFields fixed) {
        boolean isLower = fixed.increment() > 0 ? next < seen.next : next > seen.next;
        return isLower && !fixed.cycle() || epoch == seen.epoch && allocated < seen.allocated;
    }
}
