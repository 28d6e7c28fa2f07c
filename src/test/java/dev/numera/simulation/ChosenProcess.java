package dev.numera.simulation;

import dev.numera.core.retry.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A process of an enumerated schedule. Its clock moves by its own requests and waits only, so that everything in its
 * memory follows from what it has observed, in which order: that is its position.
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

    /** Everything that it has observed. */
    Fingerprint position() {
        return observed;
    }

    void observes(String what) {
        observed.add(what);
    }

    /** Of another thread in the background. */
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

    /** Others may run when the next request is sent. */
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
