package dev.numera.sequences.ledger;

import dev.numera.core.model.Status;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the ledger: an allocation, or a range that was advanced over. A range has no key, texts or date, and its
 * count is 0.
 *
 * @param first the first number in the direction of the series; the last one may be smaller
 * @param advanceReason why the range was advanced over; null for an allocation, or if the caller did not state it
 * @param importId the import that wrote the entry; null if the sequence allocated the numbers or advanced over them
 * @param actor the person or system that requested, imported or advanced the numbers, as the caller stated; null if not
 *     recorded
 */
public record LedgerLine(
        @Nullable String key,
        long first,
        long last,
        int count,
        @Nullable List<String> texts,
        String period,
        @Nullable LocalDate date,
        Instant allocatedAt,
        Status status,
        @Nullable String advanceReason,
        @Nullable String importId,
        @Nullable String actor) {
    public boolean isAdvance() {
        return key == null;
    }

    /** Returns the kind as callers see it: {@code allocation}, {@code import} or {@code advance}. */
    public String kind() {
        return isAdvance() ? "advance" : importId == null ? "allocation" : "import";
    }

    long highest() {
        return Math.max(first, last);
    }

    LedgerLine with(Status said) {
        return new LedgerLine(key, first, last, count, texts, period, date, allocatedAt, said, null, importId, actor);
    }

    /**
     * Whether a number between the first and the last one belongs to the entry. Example: an allocation of three by
     * increments of 5 has the numbers 1, 6 and 11, but not 7.
     */
    boolean hasNumber(long number, long increment) {
        return (number - first) % increment == 0;
    }

    private long increment() {
        return count == 1 ? 1 : (last - first) / (count - 1);
    }

    /**
     * Returns the text of a number of the entry: its digits without a format. Empty if the entry does not have the
     * number.
     */
    Optional<String> text(long number) {
        if (!hasNumber(number, increment())) {
            return Optional.empty();
        }
        return Optional.of(
                texts == null ? Long.toString(number) : texts.get(Math.toIntExact((number - first) / increment())));
    }

    /** Returns the entry with only its first and its last text. */
    public LedgerLine brief() {
        List<String> ends =
                texts == null || texts.size() <= 2 ? texts : List.of(texts.get(0), texts.get(texts.size() - 1));
        return new LedgerLine(
                key, first, last, count, ends, period, date, allocatedAt, status, advanceReason, importId, actor);
    }

    /** Returns the most characters that an answer with this entry has. */
    public long characters() {
        return PrintedAllocation.characters(key, texts, status, actor)
                + (advanceReason == null ? 0 : advanceReason.length());
    }
}
