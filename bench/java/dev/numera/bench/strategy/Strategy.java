package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;

/**
 * One way to allocate the next number. All callers of a process share one instance, so {@link #next} is thread-safe.
 */
public interface Strategy extends AutoCloseable {
    /**
     * Returns the next number, or the first of {@link #numbersPerCall}. Blocks until a number is allocated.
     *
     * @throws Window.Closed the window closed between two attempts
     * @throws Exception the failure that a caller would get; it counts as a failed call
     */
    long next(Window window) throws Exception;

    default int numbersPerCall() {
        return 1;
    }

    /**
     * Creates everything that the processes share. Called in one process, before any caller starts.
     *
     * @param numbersWanted how many numbers to prepare, for a strategy that fills a store beforehand
     */
    default void prepare(int numbersWanted) {}

    @Override
    default void close() {}
}
