package dev.numera.sequence;

import dev.numera.counter.CounterId;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where ledgers are read. Calls throw {@link dev.numera.counter.StoreFailure}. Thread-safe. */
public interface LedgerStore {
    /** What stands under a key: one point read. */
    Optional<Outcome.Allocation> findKey(SequenceName name, String key);

    /**
     * The rows that reach {@code number} or beyond, in the order of numbers, whatever the direction of the series: one
     * range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     */
    List<Row> rowsFrom(CounterId id, long number, int limit);

    /**
     * What one write added.
     *
     * @param first the first number in the direction of the series; the last one may be smaller
     * @param allocations in the order in which they were made; empty for a range that was advanced over
     */
    record Row(long first, long last, Instant allocatedAt, List<Outcome.Allocation> allocations) {
        /** Where the row after this one begins at the least. */
        long following() {
            return Math.max(first, last) + 1;
        }

        public boolean isAdvance() {
            return allocations.isEmpty();
        }
    }
}
