package dev.numera.sequence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterStore;
import dev.numera.counter.Timekeeper;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** All that can be done with sequences, on one store, wired. One for each process, because it is here that calls meet to be merged. */
public record Sequences(
        Numbering numbering, BatchNumbering batches, Administration administration, Ledger ledger, TextParser textParser) {
    /**
     * Where everything is kept.
     *
     * @param counters counters with their ledgers, for writing
     * @param ledgers the same ledgers, for reading
     */
    public record Stores(CounterStore counters, DefinitionStore definitions, LedgerStore ledgers) {}

    /**
     * On the system's clock, with threads of its own.
     *
     * @param maxIdleCounters how many sequences' states are kept in memory
     */
    public static Sequences over(Stores stores, AutoCreate autoCreate, CounterLimits limits, int maxIdleCounters) {
        return wired(stores, autoCreate, limits, maxIdleCounters, Timekeeper.SYSTEM, new CoarseClock(), GlobalOpenTelemetry.get());
    }

    /** As the other, on a clock of the caller's own. */
    public static Sequences over(Stores stores, AutoCreate autoCreate, CounterLimits limits, int maxIdleCounters, Timekeeper time) {
        return over(stores, autoCreate, limits, maxIdleCounters, time, GlobalOpenTelemetry.get());
    }

    /** As the others, on a clock and with a telemetry of the caller's own. */
    static Sequences over(Stores stores, AutoCreate autoCreate, CounterLimits limits, int maxIdleCounters, Timekeeper time,
            OpenTelemetry openTelemetry) {
        return wired(stores, autoCreate, limits, maxIdleCounters, time, time::nanoTime, openTelemetry);
    }

    private static Sequences wired(Stores stores, AutoCreate autoCreate, CounterLimits limits, int maxIdleCounters, Timekeeper time,
            LongSupplier coarseNanos, OpenTelemetry openTelemetry) {
        Ticker ticker = time::nanoTime;
        Definitions definitions = new Definitions(stores.definitions(), autoCreate, maxIdleCounters, ticker);
        Telemetry telemetry = new Telemetry(openTelemetry,
                name -> definitions.inMemory(name).map(known -> known.definition().guarantee()).orElse(null));
        // An attempt shows in the trace of the call that led it, or that began what leads on.
        Executor leaders = Context.taskWrapping(Executors.newCachedThreadPool(Sequences::leader));
        Counter.Surroundings surroundings = new Counter.Surroundings(
                stores.counters(), time, () -> ThreadLocalRandom.current().nextDouble(), leaders, telemetry);
        Numbering numbering = new Numbering(definitions, limits, maxIdleCounters, surroundings, coarseNanos, telemetry);
        return new Sequences(numbering, new BatchNumbering(numbering),
                new Administration(stores.definitions(), definitions, numbering, time),
                new Ledger(definitions, stores.ledgers(), numbering), new TextParser(definitions, time));
    }

    private static Thread leader(Runnable task) {
        Thread thread = new Thread(task, "numera-leader");
        thread.setDaemon(true);
        return thread;
    }
}
