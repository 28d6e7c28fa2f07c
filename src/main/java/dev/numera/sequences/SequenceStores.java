package dev.numera.sequences;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.snowflake.WorkerStore;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.util.function.Supplier;

/**
 * The stores that a process keeps sequences in.
 *
 * @param counters counters with their ledgers, for writing
 * @param peers the rows that instances use to request numbers from each other
 * @param ledgers the same ledgers, for reading
 * @param workers the leases of worker ids; opened when the first snowflake id is requested
 */
public record SequenceStores(
        CounterStore counters,
        PeerRequests peers,
        DefinitionStore definitions,
        LedgerStore ledgers,
        Supplier<WorkerStore> workers) {}
