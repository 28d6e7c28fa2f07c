package dev.numera.simulation;

import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A process: all of the app except HTTP and storage, over the table that all processes share. */
record SimulatedInstance(String name, List<Sequences> all, Scheduler scheduler) {
    /** @param count the number of sets of counters; more than one is a bug */
    static SimulatedInstance start(
            String name, SequenceStores stores, Scenario scenario, Scheduler scheduler, Faults faults, int count) {
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
            SequenceStores stores, Scenario scenario, Scheduler scheduler, ProcessClock clock, Executor threads) {
        return TestSequences.over(stores)
                .with(AutoCreate.NEVER)
                .with(scenario.limits())
                .with(clock)
                .with(scheduler.random()::nextDouble, threads)
                .start();
    }

    Sequences sequences() {
        return all.size() == 1 ? all.get(0) : all.get(scheduler.random().nextInt(all.size()));
    }

    /**
     * Runs a task like a thread of an executor, whose exceptions end only that thread. The exception must have an
     * explanation.
     */
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
