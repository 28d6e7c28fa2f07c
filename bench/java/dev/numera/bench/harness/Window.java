package dev.numera.bench.harness;

import java.util.concurrent.locks.LockSupport;

/**
 * The time during which callers are measured. A strategy that loops checks it between two attempts, so that no cell of
 * a benchmark takes much longer than it should. Immutable and thread-safe.
 */
public record Window(long opensNanos, long closesNanos) {
    /** The window closed while a call was under way. */
    public static final class Closed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Closed() {
            super("The window closed while the call was under way.", null, false, false);
        }
    }

    /** How long it takes to start as many threads as there ever are. */
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

    /** @throws Closed the time is over: the call shall end without a number */
    public void requireOpen() {
        if (isOver()) {
            throw new Closed();
        }
    }

    public boolean isOver() {
        return System.nanoTime() - closesNanos >= 0;
    }
}
