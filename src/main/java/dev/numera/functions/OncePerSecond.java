package dev.numera.functions;

import dev.numera.core.problem.ProblemException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A check of storage whose outcome is good for a second: however many calls need it, storage is queried no oftener.
 * Thread-safe.
 */
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

    /** @throws ProblemException if the check failed less than a second ago, or fails now */
    synchronized void require() {
        if (System.nanoTime() - checkedNanos >= GOOD_FOR_NANOS) {
            run();
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** As {@link #require}, but once a check has succeeded nothing is checked any more, and no lock is taken. */
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
