package dev.numera.bench.strategy;

import dev.numera.core.retry.Backoff;
import java.time.Duration;

/**
 * An exponential backoff with a jitter of 20 %, as in Microsoft's article on table partitioning: {@code y = rand(0.8 z,
 * 1.2 z) * (2^x - 1)}, {@code delay = min(zMin + y, zMax)}.
 */
record ExponentialBackoff(Duration z, Duration zMin, Duration zMax) implements Backoff {
    @Override
    public Duration delay(int attempt, double random) {
        double y = z.toNanos() * (0.8 + 0.4 * random) * (Math.pow(2, attempt) - 1);
        return Duration.ofNanos((long) Math.min(zMin.toNanos() + y, (double) zMax.toNanos()));
    }
}
