package dev.numera.sequence;

import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.LedgerRow;
import dev.numera.model.SequenceName;
import dev.numera.model.Status;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where ledgers are read, and where the status of a key's numbers is kept. Calls throw
 * {@link dev.numera.execution.StoreFailure}. Thread-safe.
 */
public interface LedgerStore {
    /** What a key has: one point read. */
    Optional<Keyed> findKey(SequenceName name, String key);

    /** An allocation in its row by key, with the row's version from the same read. */
    record Keyed(Allocation allocation, String version) {}

    /**
     * Says something of the numbers of a key, on condition that nothing was said since it was read.
     *
     * @throws dev.numera.execution.StoreFailure surely nothing was written
     */
    WriteResult say(SequenceName name, Keyed present, Status status);

    /**
     * What is reserved or void of a counter, in the order of numbers: the allocations whose highest number is one of
     * these. One query a thousand of them.
     */
    List<Allocation> marked(CounterId id, long from, long to);

    /**
     * What is reserved, or void, of a sequence in the order of periods and numbers.
     *
     * @param position from the allocation on that reaches it; null for all of them
     * @param limit 1 to 1,000
     */
    List<Allocation> markedFrom(SequenceName name, @Nullable LedgerPosition position, Status.Kind status, int limit);

    /**
     * The rows that reach {@code number} or beyond, in the order of numbers, whatever the direction of the series: one
     * range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);
}
