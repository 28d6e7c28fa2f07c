package dev.numera.simulation;

import dev.numera.counter.Answers;
import dev.numera.counter.BlockCounter;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterStore;
import dev.numera.counter.Outcome;
import dev.numera.counter.Request;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Terms;
import java.util.List;
import java.util.concurrent.Executor;

/** A process with a counter of its own over the table that all share. */
final class Instance {
    static final CounterId ID = new CounterId(new SequenceName("Simulation", "number"), "");

    private final String name;
    private final Counter counter;
    private final BlockCounter blocks;

    Instance(String name, Stage stage, CounterStore store, Terms.Source terms, CounterLimits limits, int blockSize) {
        this.name = name;
        Executor threads = task -> stage.enter(this, name + " leader", task);
        this.counter = new Counter(ID, terms, limits, new Counter.Surroundings(store, stage, stage.random()::nextDouble, threads));
        this.blocks = new BlockCounter(counter, blockSize, limits.deadline(), stage::nanoTime,
                task -> stage.enter(this, name + " prefetch", () -> runInBackground(task)));
    }

    /** As a thread that runs a task in the background: an exception ends it, and nobody else. */
    private static void runInBackground(Runnable task) {
        try {
            task.run();
        } catch (IllegalStateException e) {
            // A broken client, seen by nobody.
        }
    }

    Answers call(List<? extends Request> requests) {
        return counter.call(requests);
    }

    /** From memory. */
    long take(int count) {
        return blocks.take(count);
    }

    Outcome.Advanced move(Request request) {
        Outcome moved = counter.call(List.of(request)).only();
        blocks.discard();
        return (Outcome.Advanced) moved;
    }

    @Override
    public String toString() {
        return name;
    }
}
