package dev.numera.sequences;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.snowflake.WorkerStore;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.util.function.Supplier;

/**
 * Where everything is kept.
 *
 * @param counters counters with their ledgers, for writing
 * @param peers the rows in which instances request numbers from one another
 * @param ledgers the same ledgers, for reading
 * @param workers made when the first snowflake id is requested
 */
public record SequenceStores(
        CounterStore counters,
        PeerRequests peers,
        DefinitionStore definitions,
        LedgerStore ledgers,
        Supplier<WorkerStore> workers) {}
