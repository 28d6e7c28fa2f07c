package dev.numera.core.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger in number order, read or to be written. It contains either successive allocations with the same
 * revision of the format, or a range of numbers that was passed over.
 *
 * @param first the first number in the direction of the series; greater than {@code last} if the series counts down
 * @param allocatedAt when the numbers were allocated or passed over
 * @param allocations in the order of the series; empty for a range that was passed over
 * @param note the actor and the reason of a range that was passed over; {@link ChangeNote#NONE} for allocations
 * @param passing the import that passed over the range; null for allocations, for a range that an advance passed over
 *     or an operator accepted, and in rows of earlier releases
 * @param version the version in storage, from the same read, or of the row that this row replaces; null to insert the
 *     row
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

    /** Creates a row that is no range passed over by an import. */
    public LedgerRow(
            long first,
            long last,
            Instant allocatedAt,
            List<Allocation> allocations,
            ChangeNote note,
            @Nullable String version) {
        this(first, last, allocatedAt, allocations, note, null, version);
    }

    /**
     * Returns a row of allocations.
     *
     * @param allocations at least one
     */
    public static LedgerRow of(List<Allocation> allocations, Instant at, @Nullable String version) {
        return new LedgerRow(
                allocations.get(0).first(),
                allocations.get(allocations.size() - 1).last(),
                at,
                allocations,
                ChangeNote.NONE,
                null,
                version);
    }

    public static LedgerRow passed(long first, long last, Instant at, ChangeNote note, @Nullable String version) {
        return new LedgerRow(first, last, at, List.of(), note, version);
    }

    /** Returns a row for a range that an import passed over. */
    public static LedgerRow passed(
            long first, long last, Instant at, ChangeNote note, PassingImport passing, @Nullable String version) {
        return new LedgerRow(first, last, at, List.of(), note, passing, version);
    }

    /**
     * Returns a part of this row, which must be a range that was passed over. Storage names a row by its highest
     * number, so the part with that number replaces this row and has its version. Any other part is a new row.
     */
    public LedgerRow part(long lowest, long highest) {
        boolean isUpwards = first <= last;
        return new LedgerRow(
                isUpwards ? lowest : highest,
                isUpwards ? highest : lowest,
                allocatedAt,
                allocations,
                note,
                passing,
                highest == highest() ? version : null);
    }

    public long lowest() {
        return Math.min(first, last);
    }

    public long highest() {
        return Math.max(first, last);
    }

    /** Returns the least number at which the next row can start. */
    public long following() {
        return highest() + 1;
    }

    /** Returns the allocations in ascending order of their numbers, also if the series counts down. */
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
