package dev.numera.simulation;

import dev.numera.counter.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Runs simulations by their seeds, and tells the seed of one that fails, with the end of what happened in it. */
final class Seeds {
    /** Those that have a counter. */
    static final List<Guarantee> COUNTED = List.of(Guarantee.STRICT, Guarantee.GAPLESS, Guarantee.CACHED);

    private static final int LINES_OF_A_FAILURE = 120;
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "simulation");
        thread.setDaemon(true);
        return thread;
    });

    private Seeds() {}

    static void run(long seed, Guarantee guarantee) {
        try {
            run(seed, guarantee, null, WrongStore.Wrong.NOTHING);
        } catch (AssertionError e) {
            throw replayed(seed, guarantee, e);
        }
    }

    /** All that happens in a run. */
    static List<String> trace(long seed, Guarantee guarantee) {
        List<String> trace = new ArrayList<>();
        run(seed, guarantee, trace, WrongStore.Wrong.NOTHING);
        return trace;
    }

    /** Whether a run over something wrong fails, as it should. */
    static boolean fails(long seed, Guarantee guarantee, WrongStore.Wrong wrong) {
        try {
            run(seed, guarantee, null, wrong);
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    private static void run(long seed, Guarantee guarantee, List<String> trace, WrongStore.Wrong wrong) {
        new Simulation(seed, guarantee, THREADS, trace, wrong).run();
    }

    private static AssertionError replayed(long seed, Guarantee guarantee, AssertionError failure) {
        List<String> trace = new ArrayList<>();
        try {
            run(seed, guarantee, trace, WrongStore.Wrong.NOTHING);
            trace.add("The replay did not fail: the run depends on something beside its seed.");
        } catch (AssertionError e) {
            trace.add("It fails: " + e.getMessage());
        }
        return new AssertionError(
                "Seed " + seed + ", " + guarantee + ": " + failure.getMessage()
                        + "\nReplay it with -Dtest=SimulationTest"
                        + " -Dsimulation.seed=" + seed + "\n"
                        + String.join(
                                "\n", trace.subList(Math.max(0, trace.size() - LINES_OF_A_FAILURE), trace.size())),
                failure);
    }
}
