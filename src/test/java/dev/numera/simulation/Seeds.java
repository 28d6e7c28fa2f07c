package dev.numera.simulation;

import dev.numera.counter.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Runs simulations by their seeds, and tells the seed of one that fails, with the end of what happened in it. */
final class Seeds {
    private static final int LINES_OF_A_FAILURE = 120;
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "simulation");
        thread.setDaemon(true);
        return thread;
    });

    private Seeds() {}

    static void run(long seed, Guarantee guarantee) {
        try {
            new Simulation(seed, guarantee, THREADS, null).run();
        } catch (AssertionError e) {
            throw replayed(seed, guarantee, e);
        }
    }

    /** All that happens in a run. */
    static List<String> trace(long seed, Guarantee guarantee) {
        List<String> trace = new ArrayList<>();
        new Simulation(seed, guarantee, THREADS, trace).run();
        return trace;
    }

    private static AssertionError replayed(long seed, Guarantee guarantee, AssertionError failure) {
        List<String> trace = new ArrayList<>();
        try {
            new Simulation(seed, guarantee, THREADS, trace).run();
            trace.add("The replay did not fail: the run depends on something beside its seed.");
        } catch (AssertionError e) {
            trace.add("It fails: " + e.getMessage());
        }
        return new AssertionError("Seed " + seed + ", " + guarantee + ": " + failure.getMessage() + "\nReplay it with -Dtest=SimulationTest"
                + " -Dsimulation.seed=" + seed + "\n"
                + String.join("\n", trace.subList(Math.max(0, trace.size() - LINES_OF_A_FAILURE), trace.size())), failure);
    }
}
