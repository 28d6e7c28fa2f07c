package dev.numera.core.retry;

import java.time.Duration;

/**
 * Computes the delay before the next attempt. Implementations are pure functions of the attempt's ordinal and a random
 * number, so that a test can fix both. The benchmarks compare {@link FullJitter} with other formulas. Immutable and
 * thread-safe.
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
