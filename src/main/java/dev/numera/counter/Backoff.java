package dev.numera.counter;

import java.time.Duration;

/**
 * How long to wait before the next attempt. A pure function of the attempt's ordinal and a random number, so that tests
 * own both; the benchmarks compare {@link #fullJitter} with others.
 */
@FunctionalInterface
public interface Backoff {
    /**
     * @param attempt how many attempts have failed so far, from 1
     * @param random uniform in [0, 1)
     * @return never negative, never above the formula's bound
     */
    Duration delay(int attempt, double random);

    /** "Full jitter" of the AWS architecture blog: {@code rand(0, min(zMax, z * 2^x))}. */
    static Backoff fullJitter(Duration z, Duration zMax) {
        return (attempt, random) -> Duration.ofNanos(
                (long) (random * Math.min((double) zMax.toNanos(), z.toNanos() * Math.pow(2, attempt))));
    }
}
