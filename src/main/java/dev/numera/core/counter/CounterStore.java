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
 * The storage of counters and their ledgers: conditional writes of single entities, and transactions within one
 * sequence. A request takes at most the store's own timeout. A read also ends at the {@link Deadline#ofThisThread},
 * after which no request is sent. The store never retries. Each call blocks for one storage request, with two
 * exceptions: {@link #find} sends one for each key, and {@link #rowsFrom} reads page by page. Implementations are
 * thread-safe.
 */
public interface CounterStore {
    /**
     * Reads the counter's present state, with its version from the same response.
     *
     * @throws StoreFailure if there is no trustworthy answer
     */
    Optional<Versioned<CounterState>> read(CounterId id);

    /**
     * Sends the transaction, which takes effect only if all its conditions hold.
     *
     * @throws StoreFailure if nothing was written for certain
     */
    WriteResult write(Transaction write);

    /**
     * Finds the allocations that the ledger has under these keys, by key; leaves out keys without an allocation. A row
     * that cannot be read is a problem of its key only.
     *
     * @param atMost how long to wait for all keys together
     * @throws StoreFailure if there is no trustworthy answer, or not in time
     */
    Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost);

    /**
     * Reads the rows of a ledger that end at or after {@code number}, in ascending order for series of either
     * direction. Sends one range query, which returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     * @throws StoreFailure if there is no trustworthy answer
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);
}
