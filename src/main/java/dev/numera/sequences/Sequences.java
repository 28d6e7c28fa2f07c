package dev.numera.sequences;

import dev.numera.core.counter.CounterEnvironment;
import dev.numera.core.counter.HighWaterMarks;
import dev.numera.core.model.DateLimits;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.sequences.access.AllocationPrinter;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.Bulkhead;
import dev.numera.sequences.access.CounterReader;
import dev.numera.sequences.access.DefinitionCache;
import dev.numera.sequences.access.DefinitionCreation;
import dev.numera.sequences.access.IndexCheck;
import dev.numera.sequences.access.SequenceCalls;
import dev.numera.sequences.catalog.Attention;
import dev.numera.sequences.catalog.Maintenance;
import dev.numera.sequences.catalog.SequenceList;
import dev.numera.sequences.catalog.SequenceSearch;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.DefinitionWriter;
import dev.numera.sequences.definition.SequenceCreation;
import dev.numera.sequences.definition.SequenceLifecycle;
import dev.numera.sequences.definition.StateReader;
import dev.numera.sequences.ledger.ClosedMonths;
import dev.numera.sequences.ledger.Closings;
import dev.numera.sequences.ledger.DateCheck;
import dev.numera.sequences.ledger.LedgerCheck;
import dev.numera.sequences.ledger.LedgerLines;
import dev.numera.sequences.ledger.LedgerReader;
import dev.numera.sequences.ledger.StatusChanges;
import dev.numera.sequences.lists.Imports;
import dev.numera.sequences.numbering.Allocator;
import dev.numera.sequences.numbering.CounterMoves;
import dev.numera.sequences.numbering.CounterRegistry;
import dev.numera.sequences.numbering.KeyNormalization;
import dev.numera.sequences.numbering.MarginMoves;
import dev.numera.sequences.numbering.NumbersInMemory;
import dev.numera.sequences.numbering.SnowflakeIds;
import dev.numera.sequences.numbering.Telemetry;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The entry points to all sequences, wired to one set of stores. Create one instance for each process: only calls to
 * the same instance share writes.
 *
 * @param bulkhead bounds the calls of all components, and other work that waits for a sequence, for example uploads
 */
public record Sequences(
        Allocator allocator,
        CounterMoves moves,
        StateReader states,
        DefinitionEditor editor,
        SequenceLifecycle lifecycle,
        Maintenance maintenance,
        LedgerReader ledger,
        LedgerCheck ledgerCheck,
        DateCheck dateCheck,
        Closings closings,
        StatusChanges statusChanges,
        SequenceList list,
        IndexCheck indexCheck,
        SequenceSearch search,
        Attention attention,
        Imports imports,
        Bulkhead bulkhead) {
    /**
     * The number of high-water marks for each cached counter. A mark is small, so it outlives the cached state of its
     * counter.
     */
    private static final long OBSERVED_FOR_EACH_IDLE = 5;

    /**
     * The clock, randomness, threads and telemetry that all components share.
     *
     * @param process the unique name of this process
     */
    record Machinery(Clock time, DoubleSupplier random, Executor leaders, String process, OpenTelemetry openTelemetry) {
        static Machinery by(Clock time, OpenTelemetry openTelemetry) {
            // Shows a write attempt in the trace of the call that leads the write or that started its leading thread.
            Executor leaders = Context.taskWrapping(Executors.newCachedThreadPool(Sequences::leader));
            return new Machinery(
                    time,
                    () -> ThreadLocalRandom.current().nextDouble(),
                    leaders,
                    UUID.randomUUID().toString(),
                    openTelemetry);
        }
    }

    /** Wires the components with the system clock and new leading threads. */
    public static Sequences over(SequenceStores stores, AutoCreate autoCreate, Limits limits) {
        return over(stores, autoCreate, limits, Machinery.by(Clock.SYSTEM, GlobalOpenTelemetry.get()));
    }

    static Sequences over(SequenceStores stores, AutoCreate autoCreate, Limits limits, Machinery machinery) {
        Clock time = machinery.time();
        DefinitionCache definitions =
                new DefinitionCache(stores.definitions(), limits.maxIdleCounters(), time, limits.deadline());
        Telemetry telemetry = new Telemetry(machinery.openTelemetry());
        Bulkhead bulkhead = new Bulkhead(limits.maxWaitingCalls());
        CounterEnvironment environment = new CounterEnvironment(
                stores.counters(),
                stores.peers(),
                time,
                machinery.random(),
                machinery.leaders(),
                machinery.process(),
                new HighWaterMarks(OBSERVED_FOR_EACH_IDLE * limits.maxIdleCounters()));
        RetryPolicy retries = new RetryPolicy(limits, time, machinery.random());
        SnowflakeIds snowflakes =
                new SnowflakeIds(definitions, stores.workers(), retries, time, machinery.random(), machinery.leaders());
        DateLimits dates = new DateLimits(limits.maxDaysAhead(), limits.maxDaysBack());
        SequenceCalls calls = new SequenceCalls(definitions, bulkhead, retries, machinery.leaders());
        AllocationPrinter formatter = new AllocationPrinter(calls, definitions, dates, time);
        CounterReader reader = new CounterReader(stores.counters(), stores.definitions());
        StateReader states = new StateReader(calls, reader, dates, time);
        CounterRegistry counters = new CounterRegistry(definitions, limits, environment, telemetry);
        KeyNormalization keys = new KeyNormalization(calls, stores.definitions(), counters);
        CounterMoves moves = new CounterMoves(calls, reader, counters, dates, environment);
        NumbersInMemory inMemory =
                new NumbersInMemory(reader, definitions, dates, counters, moves, formatter, snowflakes, time);
        Allocator allocator = new Allocator(
                calls,
                definitions,
                new DefinitionCreation(definitions, stores.definitions(), autoCreate, time),
                dates,
                counters,
                keys,
                formatter,
                reader,
                environment,
                moves,
                inMemory,
                telemetry);
        DefinitionWriter writer = new DefinitionWriter(calls, stores.definitions(), inMemory::forget, time);
        SequenceLifecycle lifecycle = new SequenceLifecycle(calls, stores.definitions(), writer, time);
        DefinitionEditor editor = new DefinitionEditor(
                calls,
                stores.definitions(),
                definitions,
                writer,
                new SequenceCreation(stores.definitions(), definitions, lifecycle, writer, time),
                states,
                time);
        MarginMoves marginMoves = new MarginMoves(calls, stores.counters(), moves, counters, time);
        LedgerLines lines = new LedgerLines(formatter);
        LedgerReader ledger = new LedgerReader(calls, stores.ledgers(), lines, reader, time);
        LedgerCheck ledgerCheck = new LedgerCheck(calls, reader, stores.ledgers(), stores.definitions(), time);
        DateCheck dateCheck = new DateCheck(calls, reader, stores.ledgers(), ledgerCheck, time);
        return new Sequences(
                allocator,
                moves,
                states,
                editor,
                lifecycle,
                new Maintenance(calls, stores.definitions(), definitions, writer, lifecycle, moves, marginMoves, time),
                ledger,
                ledgerCheck,
                dateCheck,
                new Closings(calls, stores.definitions(), stores.ledgers(), dateCheck, ledger, time),
                new StatusChanges(calls, stores.ledgers(), formatter, time),
                new SequenceList(calls, stores.definitions(), states),
                new IndexCheck(definitions, stores.definitions()),
                new SequenceSearch(calls, stores.definitions(), ledger, reader, time),
                new Attention(
                        calls,
                        stores.definitions(),
                        stores.ledgers(),
                        states,
                        new ClosedMonths(stores.definitions(), stores.ledgers(), reader, time),
                        time),
                new Imports(calls, moves, keys, formatter, time),
                bulkhead);
    }

    private static Thread leader(Runnable task) {
        Thread thread = new Thread(task, "numera-leader");
        thread.setDaemon(true);
        return thread;
    }
}
