package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where counters and their ledgers are kept: conditional writes on single entities, and transactions within one
 * sequence. A request takes at most the store's own timeout, a read also at most what is left of the
 * {@link Deadline#ofThisThread}, after which no request is sent; none is ever repeated here. A call sends one and
 * blocks for it, but for those that concern several rows: find sends one for each key, and a range of rows is read page
 * by page. Implementations are thread-safe.
 */
public interface CounterStore {
    /**
     * The counter's present state, with its version from the same read.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    Optional<Versioned<CounterState>> read(CounterId id);

    /**
     * Writes if all that the write is conditioned on holds.
     *
     * @throws StoreFailure surely nothing was written
     */
    WriteResult write(Transaction write);

    /**
     * The allocations that the ledger has under these keys, by key; keys without one are left out. A row that cannot be
     * read is the problem of its key alone.
     *
     * @param atMost how long to wait for all of them together
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost);

    /**
     * The rows of a ledger that reach {@code number} or beyond, in the order of numbers, whatever the direction of the
     * series: one range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     * @throws StoreFailure there is no trustworthy answer
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);
}
