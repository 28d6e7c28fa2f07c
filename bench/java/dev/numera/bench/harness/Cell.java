package dev.numera.bench.harness;

import dev.numera.bench.strategy.BackoffChoice;
import dev.numera.bench.strategy.Catalogue;

/**
 * One measurement: a strategy under a load, on its own sequence.
 *
 * @param warmUpMillis how long the callers call before the first window, unmeasured
 * @param windows how many windows to measure, one after the other; the best one counts
 * @param maxCalls the most calls of each process in each window
 */
public record Cell(
        Catalogue strategy,
        BackoffChoice backoff,
        Load load,
        long warmUpMillis,
        long windowMillis,
        int windows,
        int maxCalls) {
    /** The most calls that one process can keep in memory. */
    public static final int MANY_CALLS = 1_000_000;

    public static Cell of(Catalogue strategy, Load load, long warmUpMillis, long windowMillis) {
        return new Cell(strategy, BackoffChoice.DEFAULT, load, warmUpMillis, windowMillis, 1, MANY_CALLS);
    }

    public Cell windows(int count) {
        return new Cell(strategy, backoff, load, warmUpMillis, windowMillis, count, maxCalls);
    }

    public Cell maxCalls(int calls) {
        return new Cell(strategy, backoff, load, warmUpMillis, windowMillis, windows, calls);
    }

    public Cell backoff(BackoffChoice choice) {
        return new Cell(strategy, choice, load, warmUpMillis, windowMillis, windows, maxCalls);
    }
}
