package dev.numera.simulation;

import dev.numera.counter.CounterStore;
import dev.numera.sequence.DefinitionStore;
import dev.numera.sequence.LedgerStore;
import dev.numera.sequence.SequenceLimits;
import dev.numera.sequence.Sequences;
import dev.numera.sequence.SimulatedSequences;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A process: everything of the app but HTTP and storage, over the table that all processes share. */
record SimulatedInstance(String name, List<Sequences> all, Scheduler scheduler) {
    private static final int MAX_DAYS_AHEAD = 400;
    private static final int MAX_DAYS_BACK = 3_660;

    /** Everything that a process reaches over its network. */
    record InstanceStores(CounterStore counters, DefinitionStore definitions, LedgerStore ledgers) {}

    /** @param count how many sets of counters it has: more than one is a bug */
    static SimulatedInstance start(
            String name, InstanceStores stores, Scenario scenario, Scheduler scheduler, Faults faults, int count) {
        Executor threads = task -> scheduler.spawn(
                name,
                name + " thread",
                () -> runInBackground(task, () -> faults.hasBroken() || scheduler.isKilled(name)));
        ProcessClock clock = new ProcessClock(scheduler);
        List<Sequences> all = Stream.generate(() -> sequences(stores, scenario, scheduler, clock, threads))
                .limit(count)
                .toList();
        return new SimulatedInstance(name, all, scheduler);
    }

    private static Sequences sequences(
            InstanceStores stores, Scenario scenario, Scheduler scheduler, ProcessClock clock, Executor threads) {
        return SimulatedSequences.over(
                new Sequences.Stores(stores.counters, stores.definitions, stores.ledgers, () -> {
                    throw new IllegalStateException("No sequence of the simulation leases a worker.");
                }),
                new SequenceLimits(scenario.limits(), scenario.maxIdleCounters(), MAX_DAYS_AHEAD, MAX_DAYS_BACK),
                clock,
                scheduler.random()::nextDouble,
                threads);
    }

    Sequences sequences() {
        return all.size() == 1 ? all.get(0) : all.get(scheduler.random().nextInt(all.size()));
    }

    /** As a thread of an executor: an exception ends it alone. It needs an explanation. */
    private static void runInBackground(Runnable task, BooleanSupplier isExplained) {
        try {
            task.run();
        } catch (IllegalStateException | LinkageError e) {
            if (!isExplained.getAsBoolean()) {
                throw e;
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
