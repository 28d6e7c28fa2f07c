package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;

/** One way to get the next number. One instance serves all callers of a process: {@link #next} is thread-safe. */
public interface Strategy extends AutoCloseable {
    /**
     * The next number, or the first of {@link #numbersPerCall}. Blocks until it has one.
     *
     * @throws Window.Closed the window closed between two attempts
     * @throws Exception what a caller would get; it counts as a failure
     */
    long next(Window window) throws Exception;

    default int numbersPerCall() {
        return 1;
    }

    /**
     * Creates what all processes share. Called in one of them, before any caller calls.
     *
     * @param numbersWanted how many numbers to have in store, where something is filled beforehand
     */
    default void prepare(int numbersWanted) {}

    @Override
    default void close() {}
}
