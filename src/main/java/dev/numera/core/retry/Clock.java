package dev.numera.core.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The clock, and the waits that it times. Tests use clocks of their own. */
public interface Clock {
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        }

        @Override
        public <T> T await(CompletableFuture<T> result, Duration atMost)
                throws InterruptedException, ExecutionException, TimeoutException {
            return result.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        }
    };

    /** Returns a time in nanoseconds that is only good for measuring durations. */
    long nanoTime();

    Instant now();

    /** Blocks the calling thread for this duration. */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * Sleeps before another attempt.
     *
     * @throws StoreFailure the thread was interrupted. It stays interrupted and makes no further attempt; the caller
     *     may retry on another thread
     */
    default void pause(Duration duration) {
        try {
            sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("The thread was interrupted while it waited for another attempt.", true, e);
        }
    }

    /**
     * Blocks the calling thread until the future completes.
     *
     * @throws ExecutionException the future completed exceptionally
     * @throws TimeoutException the future did not complete in time
     */
    <T> T await(CompletableFuture<T> result, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException;
}
