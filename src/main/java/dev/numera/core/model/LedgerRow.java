package dev.numera.core.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a ledger in number order, as it was read or is to be written: allocations that follow one another, of one
 * revision of the format, or a range that was passed over.
 *
 * @param first the first number in the direction of the series; the last one may be smaller
 * @param allocatedAt when the numbers were allocated or passed over
 * @param allocations in the order of the series; empty for a range that was passed over
 * @param note who passed over it, and why; {@link ChangeNote#NONE} for allocations
 * @param passing the import that passed over the range; null for allocations, for a range that was advanced over or
 *     accepted since, and in rows of earlier releases
 * @param version from the same read, or of the row whose place this one takes; null for one to be inserted
 */
public record LedgerRow(
        long first,
        long last,
        Instant allocatedAt,
        List<Allocation> allocations,
        ChangeNote note,
        @Nullable PassingImport passing,
        @Nullable String version) {
    public LedgerRow {
        allocations = List.copyOf(allocations);
    }

    /** One that no import passed over. */
    public LedgerRow(
            long first,
            long last,
            Instant allocatedAt,
            List<Allocation> allocations,
            ChangeNote note,
            @Nullable String version) {
        this(first, last, allocatedAt, allocations, note, null, version);
    }

    /** @param allocations at least one */
    public static LedgerRow of(List<Allocation> allocations, Instant at, @Nullable String version) {
        return new LedgerRow(
                allocations.get(0).first(),
                allocations.get(allocations.size() - 1).last(),
                at,
                allocations,
                ChangeNote.NONE,
                version);
    }

    public static LedgerRow passed(long first, long last, Instant at, ChangeNote note, @Nullable String version) {
        return new LedgerRow(first, last, at, List.of(), note, version);
    }

    /** A range that an import passed over. */
    public static LedgerRow passed(
            long first, long last, Instant at, ChangeNote note, PassingImport passing, @Nullable String version) {
        return new LedgerRow(first, last, at, List.of(), note, passing, version);
    }

    /** The part of a range that was passed over. */
    public LedgerRow part(long newFirst, long newLast, @Nullable String newVersion) {
        return new LedgerRow(newFirst, newLast, allocatedAt, allocations, note, passing, newVersion);
    }

    public long lowest() {
        return Math.min(first, last);
    }

    public long highest() {
        return Math.max(first, last);
    }

    /** Where the row after this one begins at the least. */
    public long following() {
        return highest() + 1;
    }

    /** The allocations in the order of numbers, whatever the direction of the series. */
    public List<Allocation> ascending() {
        if (first <= last) {
            return allocations;
        }
        List<Allocation> ascending = new ArrayList<>(allocations);
        Collections.reverse(ascending);
        return ascending;
    }

    public boolean isAdvance() {
        return allocations.isEmpty();
    }
}
