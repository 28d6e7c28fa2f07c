package dev.numera.core.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The clock, and waiting by it. Tests bring their own. */
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

    /** A time that only serves to measure, in nanoseconds. */
    long nanoTime();

    Instant now();

    /** Blocks the calling thread. */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * As {@link #sleep}, before something is tried again.
     *
     * @throws StoreFailure the thread was interrupted, and is so still: it is to try nothing again, but its caller may
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
     * Blocks the calling thread until the result is there.
     *
     * @throws ExecutionException the result is an exception
     * @throws TimeoutException it was not there in time
     */
    <T> T await(CompletableFuture<T> result, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException;
}
