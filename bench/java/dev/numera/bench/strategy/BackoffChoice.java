package dev.numera.bench.strategy;

import dev.numera.core.retry.Backoff;
import java.time.Duration;

/** The wait of Numera's counter after a failed attempt. */
public enum BackoffChoice {
    /** The app's default. */
    DEFAULT("the default", null),
    NONE("none", fixed(0)),
    FIXED("fixed delay of 10 ms", fixed(10)),
    EXPONENTIAL(
            "partitioning article: z 4 ms, at most 64 ms",
            new ExponentialBackoff(millis(4), Duration.ZERO, millis(64))),
    FULL_JITTER("full jitter: z 4 ms, at most 64 ms", new Backoff.FullJitter(millis(4), millis(64))),
    FLAT_FULL_JITTER(
            "full jitter: z 16 ms, at most 64 ms (the default)", new Backoff.FullJitter(millis(16), millis(64)));

    private final String title;
    private final Backoff backoff;

    BackoffChoice(String title, Backoff backoff) {
        this.title = title;
        this.backoff = backoff;
    }

    public String title() {
        return title;
    }

    /** Returns the backoff; null for the app's default. */
    Backoff backoff() {
        return backoff;
    }

    /** Returns a constant delay: the exponential formula with a factor of 0. */
    private static Backoff fixed(long delayMillis) {
        return new ExponentialBackoff(Duration.ZERO, millis(delayMillis), millis(delayMillis));
    }

    private static Duration millis(long count) {
        return Duration.ofMillis(count);
    }
}
