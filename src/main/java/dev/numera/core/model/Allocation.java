package dev.numera.core.model;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Numbers: {@code first}, {@code first + increment} and so on. With a key it is also what the ledger holds.
 *
 * @param key null where the caller sent none
 * @param firstText the text of the first number, null without a format
 * @param formatRevision which revision of the format wrote the texts, 0 without a format
 * @param replayed whether an earlier request with the same key received the numbers
 * @param status of the numbers; those without a key are always issued
 * @param importId of the import that added it; null where the sequence allocated it
 * @param operationId of the write that took the numbers, where it was read from the row of its key; null elsewhere, and
 *     of rows that earlier versions wrote
 * @param actor who requested or imported them, as the caller stated; null where the caller did not
 */
public record Allocation(
        @Nullable String key,
        long first,
        long last,
        int count,
        String period,
        LocalDate date,
        @Nullable String firstText,
        int formatRevision,
        Instant allocatedAt,
        boolean replayed,
        Status status,
        @Nullable String importId,
        @Nullable String operationId,
        @Nullable String actor)
        implements CounterOutcome {
    /** The answer to the request that received it first. */
    public Allocation asFirst() {
        return copy(allocatedAt, false, status);
    }

    public Allocation asReplay() {
        return copy(allocatedAt, true, status);
    }

    /** The same, allocated at another time. */
    public Allocation at(Instant otherTime) {
        return copy(otherTime, replayed, status);
    }

    public Allocation with(Status other) {
        return copy(allocatedAt, replayed, other);
    }

    private Allocation copy(Instant time, boolean isReplay, Status newStatus) {
        return new Allocation(
                key,
                first,
                last,
                count,
                period,
                date,
                firstText,
                formatRevision,
                time,
                isReplay,
                newStatus,
                importId,
                null,
                actor);
    }

    /** The same as a block to allocate from memory. */
    public CounterOutcome.Block asBlock(long increment, CounterState after) {
        return new CounterOutcome.Block(first, count, increment, after);
    }

    public long highest() {
        return Math.max(first, last);
    }

    /** How many rows of the ledger are its own. */
    public int rows() {
        return key == null ? 0 : status.isMarked() ? 2 : 1;
    }
}
