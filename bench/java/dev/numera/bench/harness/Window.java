package dev.numera.bench.harness;

import java.util.concurrent.locks.LockSupport;

/**
 * The time during which callers are measured. A strategy that loops checks it between two attempts, so that a
 * measurement takes only a little longer than its window. Immutable and thread-safe.
 */
public record Window(long opensNanos, long closesNanos) {
    /** The window closed while a call was in progress. */
    public static final class Closed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Closed() {
            super("The window closed while the call was under way.", null, false, false);
        }
    }

    /** The time to start the threads of the largest load. */
    private static final long START_NANOS = 30_000_000;

    static Window ofMillis(long millis) {
        long opens = System.nanoTime() + START_NANOS;
        return new Window(opens, opens + millis * 1_000_000);
    }

    void awaitOpening() {
        long early = opensNanos - System.nanoTime();
        while (early > 0) {
            LockSupport.parkNanos(early);
            early = opensNanos - System.nanoTime();
        }
    }

    /** @throws Closed the window is over: the call must end without a number */
    public void requireOpen() {
        if (isOver()) {
            throw new Closed();
        }
    }

    public boolean isOver() {
        return System.nanoTime() - closesNanos >= 0;
    }
}
