package dev.numera.simulation;

import dev.numera.core.retry.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A process of an enumerated schedule. Its clock moves only with its own requests and waits. Its memory therefore
 * depends only on its observations and their order: this is the position of the process.
 */
final class ChosenProcess implements Clock {
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

    private final String name;
    private final Turns turns;
    private final Fingerprint observed = new Fingerprint();
    private long nanos;
    private int threads;

    ChosenProcess(String name, Turns turns) {
        this.name = name;
        this.turns = turns;
    }

    String name() {
        return name;
    }

    /** Returns everything that the process has observed. */
    Fingerprint position() {
        return observed;
    }

    void observes(String what) {
        observed.add(what);
    }

    /** Returns the ordinal of a new background thread. */
    int newOrdinal() {
        threads++;
        return threads;
    }

    void pass(Duration duration) {
        nanos += duration.toNanos();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    /** Moves only this clock. Other processes may run when this process sends its next request. */
    @Override
    public void sleep(Duration duration) {
        pass(duration);
    }

    @Override
    public <T> T await(CompletableFuture<T> result, Duration atMost) throws ExecutionException, TimeoutException {
        boolean isThere = turns.await(result);
        observes(isThere ? "has it" : "gives up");
        if (!isThere) {
            pass(atMost);
            throw new TimeoutException();
        }
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
