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
 * sequence. A request takes at most the store's own timeout, and a read also at most the rest of
 * {@link Deadline#ofThisThread}; after that deadline no request is sent. The store never repeats a request. Most calls
 * send one request and block for it; {@link #find} sends one for each key, and {@link #rowsFrom} reads page by page.
 * Implementations are thread-safe.
 */
public interface CounterStore {
    /**
     * Returns the counter's present state, with its version from the same read; empty if there is no counter.
     *
     * @throws StoreFailure no trustworthy answer arrived
     */
    Optional<Versioned<CounterState>> read(CounterId id);

    /**
     * Executes the transaction if all its conditions hold.
     *
     * @throws StoreFailure if nothing was written for certain
     */
    WriteResult write(Transaction write);

    /**
     * Executes moves of several counters as one transaction, if all their conditions hold; otherwise none of them. A
     * won result has no version of a counter.
     *
     * @param moves 1 to {@value WriteLimits#MOVES} moves of existing counters, all of one sequence and under the same
     *     version of its definition
     * @throws StoreFailure if nothing was written for certain
     */
    WriteResult writeTogether(List<Transaction> moves);

    /**
     * Reads a page of the counters of a sequence, in the order of their periods, and returns the counters with the mark
     * of a restore. Sends a second request for a full page.
     *
     * @param firstPeriod empty for the first page
     * @param limit 1 to 1,000 counters
     * @throws StoreFailure no trustworthy answer arrived
     */
    RestoredCounters restored(SequenceName sequence, String firstPeriod, int limit);

    /**
     * Returns the ledger's allocations under these keys, by key; omits keys without an allocation. A row that cannot be
     * read is a problem of its key only.
     *
     * @param atMost how long to wait for all of them together
     * @throws StoreFailure no trustworthy answer arrived in time
     */
    Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost);

    /**
     * Returns the ledger rows that end at {@code number} or higher, in the order of numbers, whatever the direction of
     * the series. Sends one range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     * @throws StoreFailure no trustworthy answer arrived
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);
}
