package dev.numera.bench.harness;

import dev.numera.bench.strategy.Strategy;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** One caller. Requests one number after another, with an optional pause between two calls. */
final class Caller implements Runnable {
    static final int LONGS_A_CALL = 3;
    private static final long LONGEST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;

    private final Strategy strategy;
    private final Window window;
    private final AtomicInteger callsLeft;
    private final long pauseMillis;
    private final Histogram histogram = newHistogram();
    private long[] history = new long[LONGS_A_CALL * 1024];
    private int recorded;
    private long calls;
    private long failures;
    private long unfinished;
    private long lastEndNanos;
    private String firstFailure;

    /** @param pauseMillis the mean pause between two calls */
    Caller(Strategy strategy, Window window, AtomicInteger callsLeft, long pauseMillis) {
        this.strategy = strategy;
        this.window = window;
        this.callsLeft = callsLeft;
        this.pauseMillis = pauseMillis;
        this.lastEndNanos = window.opensNanos();
    }

    static Histogram newHistogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    @Override
    public void run() {
        window.awaitOpening();
        while (!window.isOver() && callsLeft.getAndDecrement() > 0) {
            pause();
            if (!window.isOver()) {
                call();
            }
        }
    }

    /**
     * Waits for an exponentially distributed time, as independent people would, but not beyond the end of the window.
     */
    private void pause() {
        if (pauseMillis > 0) {
            double millis =
                    -pauseMillis * Math.log(1 - ThreadLocalRandom.current().nextDouble());
            long left = window.closesNanos() - System.nanoTime();
            LockSupport.parkNanos(Math.min((long) (millis * 1e6), left));
        }
    }

    private void call() {
        long began = System.nanoTime();
        try {
            long first = strategy.next(window);
            ended(began, first);
        } catch (Window.Closed e) {
            unfinished++;
        } catch (Exception e) {
            // An exception of the strategy is the answer that its caller would get.
            failures++;
            firstFailure = firstFailure == null ? e.toString() : firstFailure;
        }
        histogram.recordValue(Math.min(System.nanoTime() - began, LONGEST_NANOS));
    }

    private void ended(long began, long first) {
        long now = System.nanoTime();
        if (now - window.closesNanos() >= 0) {
            unfinished++;
        } else {
            calls++;
            lastEndNanos = now;
        }
        if (recorded + LONGS_A_CALL > history.length) {
            history = Arrays.copyOf(history, history.length * 2);
        }
        history[recorded++] = first;
        history[recorded++] = began;
        history[recorded++] = now;
    }

    /** Returns three values for each answered call: the first number, the start and the end. */
    long[] history() {
        return Arrays.copyOf(history, recorded);
    }

    Histogram histogram() {
        return histogram;
    }

    long calls() {
        return calls;
    }

    long failures() {
        return failures;
    }

    long unfinished() {
        return unfinished;
    }

    long lastEndNanos() {
        return lastEndNanos;
    }

    String firstFailure() {
        return firstFailure;
    }
}
