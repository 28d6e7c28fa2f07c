package dev.numera.core.retry;

import java.time.Duration;

/**
 * How long to wait before the next attempt. Pure functions of the attempt's ordinal and a random number, so that tests
 * own both; the benchmarks compare {@link FullJitter} with others. Immutable and thread-safe.
 */
public interface Backoff {
    /**
     * @param attempt how many attempts have failed so far, from 1
     * @param random uniform in [0, 1)
     * @return never negative, never above the formula's bound
     */
    Duration delay(int attempt, double random);

    /** "Full jitter" of the AWS architecture blog: {@code rand(0, min(zMax, z * 2^x))}. */
    record FullJitter(Duration z, Duration zMax) implements Backoff {
        @Override
        public Duration delay(int attempt, double random) {
            return Duration.ofNanos(
                    (long) (random * Math.min((double) zMax.toNanos(), z.toNanos() * Math.pow(2, attempt))));
        }
    }
}
