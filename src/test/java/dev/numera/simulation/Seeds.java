package dev.numera.simulation;

import dev.numera.core.model.Guarantee;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Runs simulations from their seeds. Reports the seed of a run that fails, with the last lines of its trace. */
final class Seeds {
    /** The guarantees that have a counter. */
    static final List<Guarantee> COUNTED = List.of(Guarantee.STRICT, Guarantee.GAPLESS, Guarantee.CACHED);

    private static final int LINES_OF_A_FAILURE = 120;
    private static final String THREAD = "simulation";
    /** The threads of all runs. */
    static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, THREAD);
        thread.setDaemon(true);
        return thread;
    });
    /**
     * Loggers that lose their lines during a run. The list holds them, because the log manager forgets loggers that are
     * not referenced, and their filters with them.
     */
    private static final List<Logger> QUIET = Stream.of(
                    "dev.numera.sequences.numbering.Alarms", "dev.numera.sequences.numbering.Telemetry")
            .map(Seeds::quiet)
            .toList();

    private Seeds() {}

    /**
     * Suppresses the lines of a logger in the threads of runs: thousands of sequences reach their end and would be
     * reported.
     */
    private static Logger quiet(String name) {
        Logger logger = Logger.getLogger(name);
        logger.setFilter(warning -> !Thread.currentThread().getName().equals(THREAD));
        return logger;
    }

    static void run(long seed, Guarantee guarantee) {
        try {
            run(seed, guarantee, null, WrongStore.Wrong.NOTHING);
        } catch (AssertionError e) {
            throw replayed(seed, guarantee, e);
        }
    }

    /** Returns everything that happens in a run. */
    static Trace trace(long seed, Guarantee guarantee) {
        Trace trace = new Trace();
        run(seed, guarantee, trace, WrongStore.Wrong.NOTHING);
        return trace;
    }

    /** Returns the requests to the stores in a run that is the same each time, because it evicts no counter. */
    static List<String> requests(long seed, Guarantee guarantee) {
        Trace trace = new Trace();
        run(seed, guarantee, trace, WrongStore.Wrong.REPEATABLE);
        return trace.requests();
    }

    /** Whether a run with the planted bug fails, as it should. */
    static boolean fails(long seed, Guarantee guarantee, WrongStore.Wrong wrong) {
        try {
            run(seed, guarantee, null, wrong);
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    static void run(long seed, Guarantee guarantee, Trace trace, WrongStore.Wrong wrong) {
        new Simulation(seed, guarantee, THREADS, trace, wrong).run();
    }

    private static AssertionError replayed(long seed, Guarantee guarantee, AssertionError failure) {
        Trace trace = new Trace();
        List<String> lines = trace.all();
        try {
            run(seed, guarantee, trace, WrongStore.Wrong.NOTHING);
            lines.add("The replay did not fail: the run depends on something other than its seed.");
        } catch (AssertionError e) {
            lines.add("It fails: " + e.getMessage());
        }
        return new AssertionError(
                "Seed " + seed + ", " + guarantee + ": " + failure.getMessage()
                        + "\nReplay it with -Dtest=SimulationTest"
                        + " -Dsimulation.seed=" + seed + "\n"
                        + String.join(
                                "\n", lines.subList(Math.max(0, lines.size() - LINES_OF_A_FAILURE), lines.size())),
                failure);
    }
}
