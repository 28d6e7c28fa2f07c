package dev.numera.core.model;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that one request received, or that an import added: {@code first}, {@code first + increment} and so on. With
 * a key, they are also an entry of the ledger.
 *
 * @param key null if the caller sent none
 * @param firstText the text of the first number, null without a format
 * @param formatRevision which revision of the format wrote the texts, 0 without a format
 * @param replayed whether an earlier request with the same key received the numbers
 * @param status of the numbers; those without a key are always issued
 * @param importId the import that added the number; null if the sequence allocated the numbers
 * @param operationId the write that took the numbers, if this allocation was read from the row of its key; null
 *     elsewhere, and for rows that earlier versions wrote
 * @param actor the person or system that requested or imported the numbers, as the caller stated; null if not stated
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
    /** Returns this allocation as a new answer, not marked as replayed. */
    public Allocation asFirst() {
        return copy(allocatedAt, false, status);
    }

    public Allocation asReplay() {
        return copy(allocatedAt, true, status);
    }

    /** Returns a copy that was allocated at another time. */
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

    /** Returns these numbers as a block, from which an instance allocates without further writes. */
    public CounterOutcome.Block asBlock(long increment, CounterState after) {
        return new CounterOutcome.Block(first, count, increment, after);
    }

    public long highest() {
        return Math.max(first, last);
    }

    /** Returns when the status last changed; the time of the allocation if it never did. */
    public Instant changedAt() {
        Instant set = status.at();
        return set == null ? allocatedAt : set;
    }

    /**
     * Returns the number of ledger rows that belong to this allocation alone: one by key, and a mark unless it is
     * issued.
     */
    public int rows() {
        return key == null ? 0 : status.isMarked() ? 2 : 1;
    }
}
