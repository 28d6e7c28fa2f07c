package dev.numera.counter;

import dev.numera.execution.StoreFailure;
import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.LedgerRow;
import dev.numera.model.SequenceName;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where counters and their ledgers are kept: conditional writes on single entities, and transactions within one
 * sequence. A request takes at most the store's own timeout, and none is ever repeated here. A call sends one and
 * blocks for it, but for those that concern several rows: find sends one for each key, a range of rows is read page by
 * page, and old asks are removed one by one. Implementations are thread-safe.
 */
public interface CounterStore {
    /**
     * The counter as it stands, with its version from the same read.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    Optional<Versioned> read(CounterId id);

    /**
     * Writes if all that the write is conditioned on holds.
     *
     * @throws StoreFailure surely nothing was written
     */
    WriteResult write(CounterWrite write);

    /**
     * The allocations that stand in the ledger under these keys, by key; keys without one are left out. A row that
     * cannot be read is the problem of its key alone.
     *
     * @param atMost how long to wait for all of them together
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    Map<String, Answer<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost);

    /**
     * The rows of a ledger that reach {@code number} or beyond, in the order of numbers, whatever the direction of the
     * series: one range query that returns no other rows.
     *
     * @param limit 1 to 1,000 rows
     * @throws StoreFailure there is no trustworthy answer
     */
    List<LedgerRow> rowsFrom(CounterId id, long number, int limit);

    /**
     * The open asks of all processes, but for those that are older than a minute by the store's own times: whoever died
     * with one left it behind. Those that cannot be read are left out: their own processes find out.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    List<InstanceAsk.Posted> openAsks(CounterId id);

    /**
     * Removes the rows of asks, whatever became of them, that nobody has touched for a minute by the store's own times.
     *
     * @throws StoreFailure some of them may be left
     */
    void removeOldAsks(CounterId id);

    /**
     * The row in which a counter of a process asks, as it stands.
     *
     * @param process its name, as {@link InstanceAsk#process()}
     * @throws StoreFailure there is no trustworthy answer
     */
    Optional<InstanceAsk.Posted> findAsk(CounterId id, String process);

    /**
     * Opens or closes an ask in its counter's row, or inserts the row with a closed one. An insert never opens: it may
     * land late, on a row that was removed meanwhile.
     *
     * @param state open or closed
     * @param version what the row must be at; null where there must be none, for a closed one only
     * @throws StoreFailure surely nothing was written
     * @throws IllegalArgumentException it would be inserted open
     */
    WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, @Nullable String version);
}
