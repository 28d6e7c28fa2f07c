package dev.numera.core.model;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the counter entity holds.
 *
 * <p>Decision: {@code docs/decisions/epochs-are-timestamps.md}.
 *
 * @param next the number that the next request gets first; may be beyond the end of the range
 * @param allocated how many numbers were allocated so far
 * @param epoch a higher one after each advance, each import that moves the next number, and each new round; blocks that
 *     were reserved under another epoch are void
 * @param round how often a cycle has begun again
 * @param operationIds the ids of the groups that wrote last, the newest first, at most {@value #MAX_OPERATION_IDS}; as
 *     long as they are all that ever wrote, the last one is empty
 * @param lastDate under which numbers were allocated last; null where there are none, or their dates have no order
 * @param firstAllocated the first number that it allocated itself, or may have allocated before an old table was
 *     restored; null where it allocated none, or an older version of this program did
 * @param firstAllocatedAt when the first of the allocated numbers were allocated; null where none were, or an older
 *     version of this program did that
 * @param importedFrom the number before the start that was imported and is farthest from it; null where there is none
 * @param restoredFrom the next number when it was put back by a restore, or was found to have too few numbers left for
 *     the margin of one; null once it was advanced by a margin, or accepted by an operator
 */
public record CounterState(
        long next,
        long allocated,
        long epoch,
        long round,
        List<String> operationIds,
        Instant changedAt,
        @Nullable LocalDate lastDate,
        @Nullable Long firstAllocated,
        @Nullable Instant firstAllocatedAt,
        @Nullable Long importedFrom,
        @Nullable Long restoredFrom) {
    static final int MAX_OPERATION_IDS = 8;
    /** The operation id of the time before the first write. */
    private static final String NO_WRITER = "";

    /** @throws IllegalArgumentException there is no id, not even the empty one */
    public CounterState {
        operationIds = List.copyOf(operationIds);
        if (operationIds.isEmpty()) {
            throw new IllegalArgumentException("A counter's state has the id of at least one operation.");
        }
    }

    /** One that no restore has put back. */
    public CounterState(
            long next,
            long allocated,
            long epoch,
            long round,
            List<String> operationIds,
            Instant changedAt,
            @Nullable LocalDate lastDate,
            @Nullable Long firstAllocated,
            @Nullable Instant firstAllocatedAt,
            @Nullable Long importedFrom) {
        this(
                next,
                allocated,
                epoch,
                round,
                operationIds,
                changedAt,
                lastDate,
                firstAllocated,
                firstAllocatedAt,
                importedFrom,
                null);
    }

    /** The epoch is the time, so that a counter that is begun again is not taken for the one that was lost. */
    public static CounterState first(long start, Instant now) {
        return new CounterState(start, 0, now.toEpochMilli(), 0, List.of(NO_WRITER), now, null, null, null, null);
    }

    /** Of the group that wrote last; empty before the first write. */
    public String operationId() {
        return operationIds.get(0);
    }

    /** Whether a group is known to have written it, then or before. */
    public boolean isWrittenBy(String operationId) {
        return operationIds.contains(operationId);
    }

    /** Whether the ids of all groups are known that wrote after an earlier state: who is not among them has not. */
    public boolean knowsAllSince(CounterState earlier) {
        return isWrittenBy(earlier.operationId());
    }

    /**
     * The next epoch is the time, so that an advance after a restore reaches an epoch that no process has seen before
     * the restore, and at least one more, whatever the clock says.
     */
    public CounterState inNewEpoch(long newNext, String newOperationId, Instant now) {
        Copy copy = new Copy().writtenBy(newOperationId, now);
        copy.next = newNext;
        copy.epoch = epochAfter(now);
        return copy.state();
    }

    private long epochAfter(Instant now) {
        return Math.max(epoch + 1, now.toEpochMilli());
    }

    /** Returns the state of a cycle that starts {@code more} further rounds; each round has its own epoch. */
    public CounterState rounds(int more, Instant now) {
        if (more == 0) {
            return this;
        }
        Copy copy = new Copy();
        copy.epoch = epochAfter(now);
        copy.round += more;
        return copy.state();
    }

    /** Returns this state for a counter whose numbers from {@code next} on may have been allocated without a trace. */
    public CounterState perhapsAllocated() {
        Copy copy = new Copy();
        copy.firstAllocated = firstAllocated == null ? (Long) next : firstAllocated;
        return copy.state();
    }

    /**
     * Returns this state marked as restored.
     *
     * @param from the next number that the restore put back; null removes the mark
     */
    public CounterState restored(@Nullable Long from) {
        Copy copy = new Copy();
        copy.restoredFrom = from;
        return copy.state();
    }

    /** Returns this state without the mark of a restore if it is beyond the restored number by the margin or more. */
    public CounterState advanced(long margin, Series series) {
        boolean isBeyond = restoredFrom != null && margin > 0 && series.distance(restoredFrom, next) >= margin;
        return isBeyond ? restored(null) : this;
    }

    /** Returns the state after a write that allocated numbers from {@code first} on, or none. */
    public CounterState allocated(
            long first, long newNext, long newAllocated, @Nullable LocalDate date, String newOperationId, Instant now) {
        Copy copy = new Copy().writtenBy(newOperationId, now);
        copy.next = newNext;
        copy.allocated = newAllocated;
        copy.lastDate = date;
        // Where an older version allocated the first ones, it is unknown for ever which they were.
        if (allocated == 0 && newAllocated > 0) {
            copy.firstAllocated = firstAllocated == null ? (Long) first : firstAllocated;
            copy.firstAllocatedAt = firstAllocatedAt == null ? now : firstAllocatedAt;
        }
        return copy.state();
    }

    /** Returns the state after an import. */
    public CounterState imported(
            long newNext,
            @Nullable LocalDate date,
            @Nullable Long newImportedFrom,
            String newOperationId,
            Instant now) {
        Copy copy = new Copy().writtenBy(newOperationId, now);
        copy.next = newNext;
        copy.epoch = newNext == next ? epoch : epochAfter(now);
        copy.lastDate = date;
        copy.importedFrom = newImportedFrom;
        return copy.state();
    }

    /**
     * Whether it can be proved, without a look at the ledger, that a number was never allocated by this counter: it
     * comes with or after the next one, or before the first one that it allocated.
     */
    public boolean neverAllocated(long number, Series series) {
        if (!series.isBefore(number, next)) {
            return true;
        }
        if (firstAllocated != null) {
            return series.isBefore(number, firstAllocated);
        }
        return allocated == 0 || series.isBefore(number, series.start());
    }

    /**
     * Whether this state is older than one that was observed before: an old copy was restored. Epochs only rise, so a
     * lower one is an old one; and nothing moves a counter back within one round, so no epoch excuses a lower next
     * number. But a higher epoch may count fewer numbers: those that an advance after a restore passed over.
     */
    public boolean isBehind(CounterState observed, FixedFields fixed) {
        return epoch < observed.epoch || isBefore(observed, fixed);
    }

    /** Whether this state is older than one that was observed before, whatever their epochs are. */
    public boolean isBefore(CounterState observed, FixedFields fixed) {
        boolean isLower = fixed.increment() > 0 ? next < observed.next : next > observed.next;
        return isLower && round == observed.round || epoch == observed.epoch && allocated < observed.allocated;
    }

    /** The same to be kept in memory for long: without what only a write needs. */
    public CounterState asObserved() {
        return new CounterState(
                next, allocated, epoch, round, List.of(NO_WRITER), Instant.EPOCH, null, null, null, null);
    }

    /** A mutable copy of the state, so that each change names only the fields that it changes. */
    private final class Copy {
        private long next = CounterState.this.next;
        private long allocated = CounterState.this.allocated;
        private long epoch = CounterState.this.epoch;
        private long round = CounterState.this.round;
        private List<String> operationIds = CounterState.this.operationIds;
        private Instant changedAt = CounterState.this.changedAt;
        private @Nullable LocalDate lastDate = CounterState.this.lastDate;
        private @Nullable Long firstAllocated = CounterState.this.firstAllocated;
        private @Nullable Instant firstAllocatedAt = CounterState.this.firstAllocatedAt;
        private @Nullable Long importedFrom = CounterState.this.importedFrom;
        private @Nullable Long restoredFrom = CounterState.this.restoredFrom;

        Copy writtenBy(String operationId, Instant at) {
            operationIds = Stream.concat(Stream.of(operationId), operationIds.stream())
                    .limit(MAX_OPERATION_IDS)
                    .toList();
            changedAt = at;
            return this;
        }

        CounterState state() {
            return new CounterState(
                    next,
                    allocated,
                    epoch,
                    round,
                    operationIds,
                    changedAt,
                    lastDate,
                    firstAllocated,
                    firstAllocatedAt,
                    importedFrom,
                    restoredFrom);
        }
    }
}
