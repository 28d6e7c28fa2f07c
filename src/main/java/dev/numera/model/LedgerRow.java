package dev.numera.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a ledger in number order.
 *
 * @param first the first number in the direction of the series; the last one may be smaller
 * @param allocations in the order of the series; empty for a range that was advanced over
 * @param reason why it was; null where the caller did not state it
 * @param version from the same read
 */
public record LedgerRow(
        long first,
        long last,
        Instant allocatedAt,
        List<Allocation> allocations,
        @Nullable String reason,
        String version) {
    public LedgerRow {
        allocations = List.copyOf(allocations);
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

    public boolean isAdvance() {
        return allocations.isEmpty();
    }
}
