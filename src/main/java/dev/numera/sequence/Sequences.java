package dev.numera.sequence;

import dev.numera.counter.CounterEnvironment;
import dev.numera.counter.Observations;
import dev.numera.execution.Clock;
import dev.numera.execution.Limits;
import dev.numera.execution.RetryPolicy;
import dev.numera.model.DateLimits;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * All that can be done with sequences, on one store, wired. One for each process, because it is here that calls meet to
 * be merged.
 *
 * @param bulkhead bounds the calls of all of these, and whatever else waits for a sequence
 */
public record Sequences(
        Numbering numbering,
        CounterMoves moves,
        States states,
        Administration administration,
        SequenceLifecycle lifecycle,
        Maintenance maintenance,
        Ledger ledger,
        MarkedLines markedLines,
        LedgerCheck ledgerCheck,
        DateCheck dateCheck,
        Closings closings,
        Statuses statuses,
        Listing listing,
        Search search,
        Imports imports,
        Bulkhead bulkhead) {
    /** What was observed of a counter is small, and outlives its cached state. */
    private static final long OBSERVED_FOR_EACH_IDLE = 5;

    /**
     * The clock, randomness, threads and telemetry that all components share.
     *
     * @param process the name of this process, which no other has
     */
    record Machinery(Clock time, DoubleSupplier random, Executor leaders, String process, OpenTelemetry openTelemetry) {
        static Machinery by(Clock time, OpenTelemetry openTelemetry) {
            // An attempt shows in the trace of the call that led it, or that began what leads on.
            Executor leaders = Context.taskWrapping(Executors.newCachedThreadPool(Sequences::leader));
            return new Machinery(
                    time,
                    () -> ThreadLocalRandom.current().nextDouble(),
                    leaders,
                    UUID.randomUUID().toString(),
                    openTelemetry);
        }
    }

    /** On the system's clock, with threads of its own. */
    public static Sequences over(SequenceStores stores, AutoCreate autoCreate, Limits limits) {
        return over(stores, autoCreate, limits, Machinery.by(Clock.SYSTEM, GlobalOpenTelemetry.get()));
    }

    static Sequences over(SequenceStores stores, AutoCreate autoCreate, Limits limits, Machinery machinery) {
        Clock time = machinery.time();
        Definitions definitions =
                new Definitions(stores.definitions(), limits.maxIdleCounters(), time, limits.deadline());
        Telemetry telemetry = new Telemetry(machinery.openTelemetry());
        Bulkhead bulkhead = new Bulkhead(limits.maxWaitingCalls());
        CounterEnvironment surroundings = new CounterEnvironment(
                stores.counters(),
                stores.peers(),
                time,
                machinery.random(),
                machinery.leaders(),
                machinery.process(),
                new Observations(OBSERVED_FOR_EACH_IDLE * limits.maxIdleCounters()));
        RetryPolicy retries = new RetryPolicy(limits, time, machinery.random());
        SnowflakeIds snowflakes =
                new SnowflakeIds(definitions, stores.workers(), retries, time, machinery.random(), machinery.leaders());
        DateLimits dates = new DateLimits(limits.maxDaysAhead(), limits.maxDaysBack());
        SequenceAccess access = new SequenceAccess(definitions, bulkhead, retries, machinery.leaders());
        NumbersFormatter formatter = new NumbersFormatter(access, definitions, dates, time);
        CounterReader reader = new CounterReader(stores.counters(), stores.definitions());
        States states = new States(access, reader, dates, time);
        Counters counters = new Counters(definitions, limits, surroundings, telemetry);
        KeyNormalization keys = new KeyNormalization(access, stores.definitions(), counters);
        CounterMoves moves = new CounterMoves(access, reader, counters, dates, surroundings);
        NumbersInMemory inMemory =
                new NumbersInMemory(reader, definitions, dates, counters, moves, formatter, snowflakes, time);
        Numbering numbering = new Numbering(
                access,
                definitions,
                new DefinitionCreation(definitions, stores.definitions(), autoCreate, time),
                dates,
                counters,
                keys,
                formatter,
                reader,
                surroundings,
                moves,
                inMemory,
                telemetry);
        DefinitionWriter writer = new DefinitionWriter(access, stores.definitions(), inMemory::forget, time);
        SequenceLifecycle lifecycle = new SequenceLifecycle(access, stores.definitions(), writer, time);
        Administration administration = new Administration(
                access,
                stores.definitions(),
                definitions,
                writer,
                new SequenceCreation(stores.definitions(), definitions, lifecycle, writer, time),
                states,
                time);
        LedgerLines lines = new LedgerLines(formatter);
        MarkedLines marked = new MarkedLines(access, stores.ledgers(), lines);
        Ledger ledger = new Ledger(access, stores.ledgers(), lines, marked, reader, time);
        LedgerCheck ledgerCheck = new LedgerCheck(access, reader, stores.ledgers(), stores.definitions(), time);
        DateCheck dateCheck = new DateCheck(access, reader, stores.ledgers(), ledgerCheck, time);
        return new Sequences(
                numbering,
                moves,
                states,
                administration,
                lifecycle,
                new Maintenance(access, stores.definitions(), definitions, writer, lifecycle, moves, time),
                ledger,
                marked,
                ledgerCheck,
                dateCheck,
                new Closings(access, stores.definitions(), stores.ledgers(), dateCheck, ledger, time),
                new Statuses(access, stores.ledgers(), formatter, time),
                new Listing(access, stores.definitions(), states),
                new Search(access, stores.definitions(), ledger, reader, time),
                new Imports(access, moves, keys, formatter, time),
                bulkhead);
    }

    private static Thread leader(Runnable task) {
        Thread thread = new Thread(task, "numera-leader");
        thread.setDaemon(true);
        return thread;
    }
}
