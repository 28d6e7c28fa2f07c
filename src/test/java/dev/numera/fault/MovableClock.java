package dev.numera.fault;

import dev.numera.counter.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** The system's clock, moved on at will: what an instance holds grows old without anybody's waiting. Thread-safe. */
final class MovableClock implements Timekeeper {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    void moveOn(Duration duration) {
        ahead.accumulateAndGet(duration, Duration::plus);
    }

    @Override
    public long nanoTime() {
        return Timekeeper.SYSTEM.nanoTime() + ahead.get().toNanos();
    }

    @Override
    public Instant now() {
        return Timekeeper.SYSTEM.now().plus(ahead.get());
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Timekeeper.SYSTEM.sleep(duration);
    }

    @Override
    public <T> T await(CompletableFuture<T> result, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return SYSTEM.await(result, atMost);
    }
}
