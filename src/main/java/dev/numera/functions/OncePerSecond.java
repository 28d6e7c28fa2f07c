package dev.numera.functions;

import dev.numera.core.problem.ProblemException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a check of storage at most once a second, and repeats its result to all calls in between. Thread-safe. */
final class OncePerSecond {
    private static final long GOOD_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Runnable check;
    private volatile boolean hasSucceeded;
    private long checkedNanos;
    private @Nullable ProblemException failure;

    OncePerSecond(Runnable check) {
        this.check = check;
        this.checkedNanos = System.nanoTime() - GOOD_FOR_NANOS;
    }

    /**
     * Runs the check, unless it ran less than a second ago.
     *
     * @throws ProblemException the latest check failed
     */
    synchronized void require() {
        if (System.nanoTime() - checkedNanos >= GOOD_FOR_NANOS) {
            run();
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Like {@link #require}, but after the first success returns at once, without a lock. */
    void requireOnce() {
        if (!hasSucceeded) {
            require();
        }
    }

    private void run() {
        failure = null;
        try {
            check.run();
            hasSucceeded = true;
        } catch (ProblemException e) {
            failure = e;
        } finally {
            checkedNanos = System.nanoTime();
        }
    }
}
