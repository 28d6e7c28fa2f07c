package dev.numera.simulation;

import dev.numera.core.retry.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The clock of one process: it is up to a minute off and drifts. */
final class ProcessClock implements Clock {
    /** The greatest difference between 30 s on a process's clock and 30 s of true time. */
    static final Duration DRIFT_IN_30_S = Duration.ofMillis(20);

    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
    private static final int SKEW_MILLIS_MAX = 60_000;
    private static final int DRIFT_PPM_MAX = 500;
    private static final long MILLION = 1_000_000;

    private final Scheduler scheduler;
    private final Duration skew;
    private final int driftPpm;

    ProcessClock(Scheduler scheduler) {
        SplittableRandom random = scheduler.random();
        this.scheduler = scheduler;
        this.skew = Duration.ofMillis(random.nextInt(-SKEW_MILLIS_MAX, SKEW_MILLIS_MAX));
        this.driftPpm = random.nextInt(-DRIFT_PPM_MAX, DRIFT_PPM_MAX);
    }

    @Override
    public long nanoTime() {
        long nanos = scheduler.nanos();
        return nanos + nanos * driftPpm / MILLION;
    }

    @Override
    public Instant now() {
        return START.plus(skew).plusNanos(nanoTime());
    }

    @Override
    public void sleep(Duration duration) {
        scheduler.sleep(duration);
    }

    @Override
    public <T> T await(CompletableFuture<T> result, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        scheduler.await(result, atMost);
        return result.get();
    }
}
