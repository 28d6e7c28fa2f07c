package dev.numera.counter;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Where counters and their ledgers are kept: conditional writes on single entities, and transactions within one
 * sequence. Every call blocks for at most the store's own request timeout, sends one request (find: one for each key)
 * and never repeats it by itself. Implementations are thread-safe.
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
     * The allocations that stand in the ledger under these keys, by key; keys without one are left out.
     *
     * @param atMost how long to wait for all of them together
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys, Duration atMost);
}
