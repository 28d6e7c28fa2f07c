package dev.numera.maintain.history;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a sequence's ledger.
 *
 * @param key null for an advance
 * @param count how many numbers the entry covers; for an advance, the numbers that it skipped
 * @param status null for an advance, and when the status was not read
 */
public record LedgerEntry(
        EntryKind kind, @Nullable String key, long first, long last, long count, @Nullable KeyStatus status) {
    public enum EntryKind {
        ALLOCATION,
        IMPORT,
        ADVANCE
    }

    /** Creates an entry whose status was not read. */
    public LedgerEntry(EntryKind kind, @Nullable String key, long first, long last, long count) {
        this(kind, key, first, last, count, null);
    }

    boolean holds(ObservedOutcome.Allocated numbers) {
        return first == numbers.first() && last == numbers.last() && count == numbers.count();
    }

    @Override
    public String toString() {
        String numbers = first == last ? "number " + first : "numbers " + first + " to " + last;
        String owner = key == null ? "without a key" : "of key '" + key + "'";
        return switch (kind) {
            case ALLOCATION -> numbers + " " + owner;
            case IMPORT -> numbers + " " + owner + ", imported";
            case ADVANCE -> numbers + ", skipped by an advance";
        };
    }
}
