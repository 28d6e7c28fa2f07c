package dev.numera.counter;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A clock that moves only when it is told to, or slept by. For tests on one thread. */
final class ManualTime implements Timekeeper {
    static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");

    final List<Duration> sleeps = new ArrayList<>();
    private Duration passed = Duration.ZERO;
    private Runnable duringNextSleep = () -> {};

    void pass(Duration duration) {
        passed = passed.plus(duration);
    }

    void duringNextSleep(Runnable action) {
        duringNextSleep = action;
    }

    @Override
    public long nanoTime() {
        return passed.toNanos();
    }

    @Override
    public Instant now() {
        return BEGIN.plus(passed);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        sleeps.add(duration);
        pass(duration);
        Runnable action = duringNextSleep;
        duringNextSleep = () -> {};
        action.run();
    }

    /** Nothing happens while the only thread waits, but time passes. */
    @Override
    public <T> T await(CompletableFuture<T> result, Duration atMost)
            throws ExecutionException, InterruptedException, TimeoutException {
        if (result.isDone()) {
            return result.get();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pass(atMost);
        throw new TimeoutException();
    }
}
