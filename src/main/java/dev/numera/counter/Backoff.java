package dev.numera.counter;

import java.time.Duration;

/**
 * How long to wait before the next attempt. Pure functions of the attempt's ordinal and a random number, so that tests
 * own both. Immutable and thread-safe.
 */
public sealed interface Backoff {
    /**
     * @param attempt how many attempts have failed so far, from 1
     * @param random uniform in [0, 1)
     * @return never negative, never above the formula's bound
     */
    Duration delay(int attempt, double random);

    /**
     * Exponential with a jitter of 20 %, as in Microsoft's article on table partitioning: {@code y = rand(0.8 z, 1.2 z)
     * * (2^x - 1)}, {@code delay = min(zMin + y, zMax)}.
     */
    record Exponential(Duration z, Duration zMin, Duration zMax) implements Backoff {
        @Override
        public Duration delay(int attempt, double random) {
            double y = z.toNanos() * (0.8 + 0.4 * random) * (Math.pow(2, attempt) - 1);
            return Duration.ofNanos((long) Math.min(zMin.toNanos() + y, (double) zMax.toNanos()));
        }
    }

    /** "Full jitter" of the AWS architecture blog: {@code rand(0, min(zMax, z * 2^x))}. */
    record FullJitter(Duration z, Duration zMax) implements Backoff {
        @Override
        public Duration delay(int attempt, double random) {
            return Duration.ofNanos(
                    (long) (random * Math.min((double) zMax.toNanos(), z.toNanos() * Math.pow(2, attempt))));
        }
    }
}
