package dev.numera.core.model;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a counter, as its entity in storage contains it. Immutable.
 *
 * <p>Decision: {@code docs/decisions/epochs-are-timestamps.md}.
 *
 * @param next the first number of the next request; may be beyond the end of the range
 * @param allocated the number of numbers that were allocated so far
 * @param epoch rises with each advance, each import that moves the next number, and each new round; blocks that were
 *     reserved in an earlier epoch are void
 * @param round how often a cycle has restarted
 * @param operationIds the ids of the last groups that wrote this counter, the newest first, at most
 *     {@value #MAX_OPERATION_IDS}. An empty id at the end shows that no earlier group wrote it
 * @param lastDate the date of the last allocation; null if there is none, or if dates need no order
 * @param firstAllocated the first number that the counter allocated itself, or may have allocated before a restore;
 *     null if it allocated none, or if an earlier version of Numera allocated the first one
 * @param firstAllocatedAt the time of the first allocation; null if there is none, or if an earlier version of Numera
 *     made it
 * @param importedFrom of the imported numbers before the start, the one farthest from it; null if there is none
 * @param restoredFrom the next number at the time of a restore, if the counter was not advanced by the restore's
 *     margin, for example because too few numbers are left; null once it was advanced by the margin, or accepted by an
 *     operator
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
    /** The operation id of a counter that was never written. */
    private static final String NO_WRITER = "";

    /** @throws IllegalArgumentException {@code operationIds} is empty; a new counter has one empty id */
    public CounterState {
        operationIds = List.copyOf(operationIds);
        if (operationIds.isEmpty()) {
            throw new IllegalArgumentException("A counter's state has the id of at least one operation.");
        }
    }

    /** Creates a state without the mark of a restore. */
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

    /**
     * Returns the state of a new counter. Its epoch is the time, so that no instance mistakes it for an earlier counter
     * of the same period that was lost.
     */
    public static CounterState first(long start, Instant now) {
        return new CounterState(start, 0, now.toEpochMilli(), 0, List.of(NO_WRITER), now, null, null, null, null);
    }

    /** Returns the id of the group that wrote last; empty before the first write. */
    public String operationId() {
        return operationIds.get(0);
    }

    /** Whether this state lists the group's id among the last writers of the counter. */
    public boolean isWrittenBy(String operationId) {
        return operationIds.contains(operationId);
    }

    /**
     * Whether this state lists every group that wrote after an earlier state. If so, a group that is not listed has not
     * written since.
     */
    public boolean knowsAllSince(CounterState earlier) {
        return isWrittenBy(earlier.operationId());
    }

    /**
     * Returns this state in a new epoch. The epoch is the time, so that after a restore it is higher than any epoch
     * that an instance observed before the restore. If the clock is behind, it is one more than the present epoch.
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

    /** Returns this state with a note that numbers from next on may already be allocated, though nothing shows it. */
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

    /**
     * Returns this state without the mark of a restore if the counter is beyond the restored number by at least the
     * margin of the latest restore.
     */
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
        // If an earlier version allocated the first numbers, it did not record which they were.
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
     * Whether this state alone, without the ledger, proves that the counter never allocated a number. The number is
     * then at or after the next number, or before the first allocated one.
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
     * Whether this state is older than a state that was observed earlier, which shows that an old copy was restored.
     * Epochs only rise, so a lower epoch is old. Nothing moves a counter back within a round, so a lower next number is
     * old in any epoch. A higher epoch with fewer allocated numbers is not old: an advance after a restore passes over
     * numbers without counting them.
     */
    public boolean isBehind(CounterState observed, FixedFields fixed) {
        return epoch < observed.epoch || isBefore(observed, fixed);
    }

    /**
     * Whether the numbers alone show that this state is older than a state that was observed earlier. Unlike in
     * {@link #isBehind}, a lower epoch does not suffice.
     */
    public boolean isBefore(CounterState observed, FixedFields fixed) {
        boolean isLower = fixed.increment() > 0 ? next < observed.next : next > observed.next;
        return isLower && round == observed.round || epoch == observed.epoch && allocated < observed.allocated;
    }

    /** Returns a copy to keep in memory, without the fields that only a write needs. */
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
