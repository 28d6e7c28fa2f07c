package dev.numera.sequences.ledger;

import dev.numera.core.model.Status;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An allocation, or a range that was advanced over: then key, texts and date are null and count is 0.
 *
 * @param first the first number in the direction of the series; the last one may be smaller
 * @param advanceReason why it was advanced over; null for an allocation, or where the caller did not state it
 * @param importId of the import that wrote it; null where the sequence allocated it, or advanced over it
 * @param actor who requested, imported or advanced it, as the caller stated; null where nothing recorded it
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

    /** As callers have it: an allocation, an import or an advance. */
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
     * Whether a number from the first to the last one is one of its own. Example: 1, 6 and 11 are the numbers of an
     * allocation of three by increments of 5, and 7 is none of them.
     */
    boolean hasNumber(long number, long increment) {
        return (number - first) % increment == 0;
    }

    private long increment() {
        return count == 1 ? 1 : (last - first) / (count - 1);
    }

    /** Without a format the text of a number is its digits. */
    boolean hasText(String text, long number) {
        if (!hasNumber(number, increment())) {
            return false;
        }
        return texts == null
                ? text.equals(Long.toString(number))
                : texts.get(Math.toIntExact((number - first) / increment())).equalsIgnoreCase(text);
    }

    /** The same with the first and the last of its texts only. */
    public LedgerLine brief() {
        List<String> ends =
                texts == null || texts.size() <= 2 ? texts : List.of(texts.get(0), texts.get(texts.size() - 1));
        return new LedgerLine(
                key, first, last, count, ends, period, date, allocatedAt, status, advanceReason, importId, actor);
    }

    /** The most characters that an answer with it has. */
    public long characters() {
        return PrintedAllocation.characters(key, texts, status, actor)
                + (advanceReason == null ? 0 : advanceReason.length());
    }
}
