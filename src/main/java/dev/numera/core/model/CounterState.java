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

    private List<String> operationIdsAfter(String newest) {
        return Stream.concat(Stream.of(newest), operationIds.stream())
                .limit(MAX_OPERATION_IDS)
                .toList();
    }

    /**
     * The next epoch is the time, so that an advance after a restore reaches an epoch that no process has seen before
     * the restore, and at least one more, whatever the clock says.
     */
    public CounterState inNewEpoch(long newNext, String newOperationId, Instant now) {
        return new CounterState(
                newNext,
                allocated,
                epochAfter(now),
                round,
                operationIdsAfter(newOperationId),
                now,
                lastDate,
                firstAllocated,
                firstAllocatedAt,
                importedFrom,
                restoredFrom);
    }

    private long epochAfter(Instant now) {
        return Math.max(epoch + 1, now.toEpochMilli());
    }

    /** Of a cycle that begins again so many times; each round has an epoch of its own. */
    public CounterState rounds(int more, Instant now) {
        return more == 0
                ? this
                : new CounterState(
                        next,
                        allocated,
                        epochAfter(now),
                        round + more,
                        operationIds,
                        changedAt,
                        lastDate,
                        firstAllocated,
                        firstAllocatedAt,
                        importedFrom,
                        restoredFrom);
    }

    /** It is unknown from now on which numbers from the next one on were allocated. */
    public CounterState perhapsAllocated() {
        return new CounterState(
                next,
                allocated,
                epoch,
                round,
                operationIds,
                changedAt,
                lastDate,
                firstAllocated == null ? (Long) next : firstAllocated,
                firstAllocatedAt,
                importedFrom,
                restoredFrom);
    }

    /**
     * The same where a restore has put it back at this number and it was not advanced since; or null where it was, or
     * nothing was allocated since.
     */
    public CounterState restored(@Nullable Long from) {
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
                from);
    }

    /** The same as after a restore no more, if it is beyond the number it was restored at by the margin or more. */
    public CounterState advanced(long margin, Series series) {
        boolean isBeyond = restoredFrom != null && margin > 0 && series.distance(restoredFrom, next) >= margin;
        return isBeyond ? restored(null) : this;
    }

    /** After numbers were allocated from here on, or none. */
    public CounterState allocated(
            long first, long newNext, long newAllocated, @Nullable LocalDate date, String newOperationId, Instant now) {
        // Where an older version allocated the first ones, it is unknown for ever which they were.
        boolean isFirst = allocated == 0 && newAllocated > 0;
        return new CounterState(
                newNext,
                newAllocated,
                epoch,
                round,
                operationIdsAfter(newOperationId),
                now,
                date,
                isFirst && firstAllocated == null ? (Long) first : firstAllocated,
                isFirst && firstAllocatedAt == null ? now : firstAllocatedAt,
                importedFrom,
                restoredFrom);
    }

    /** After an import. */
    public CounterState imported(
            long newNext,
            @Nullable LocalDate date,
            @Nullable Long newImportedFrom,
            String newOperationId,
            Instant now) {
        return new CounterState(
                newNext,
                allocated,
                newNext == next ? epoch : epochAfter(now),
                round,
                operationIdsAfter(newOperationId),
                now,
                date,
                firstAllocated,
                firstAllocatedAt,
                newImportedFrom,
                restoredFrom);
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
}
