package dev.numera.counter;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Where counters and their ledgers are kept: conditional writes on single entities, and transactions within one sequence. Every call
 * blocks for at most the store's own request timeout, sends one request (find: one for each key) and never repeats it by itself.
 * Implementations are thread-safe.
 */
public interface CounterStore {
    /**
     * The counter as it stands, with its version from the same read.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    Optional<Versioned> read(CounterId id);

    /**
     * Creates a counter. The first one of a sequence pins the fixed fields in the same transaction; every later one is created
     * in one transaction with a check that these fields are the pinned ones. Whoever comes second changes nothing: read on.
     *
     * @throws StoreFailure the counter was surely not created
     */
    void open(CounterId id, FixedFields fixed, CounterState first);

    /**
     * Writes the state, and the ledger's rows with it, if the counter is still at the version.
     *
     * @throws StoreFailure surely nothing was written
     */
    WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger);

    /**
     * The allocations that stand in the ledger under these keys, by key; keys without one are left out.
     *
     * @throws StoreFailure there is no trustworthy answer
     */
    Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys);
}
