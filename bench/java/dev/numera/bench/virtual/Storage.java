package dev.numera.bench.virtual;

import java.util.SplittableRandom;

/**
 * The behavior of storage.
 *
 * @param medianMillis the median time of an exchange, which has a log-normal distribution
 * @param sigma the standard deviation of the logarithm
 * @param stalls whether one exchange in a thousand takes a second longer, and one in ten thousand five seconds
 * @param entitiesPerSecond how many entities the partition serves per second; 0 for no limit
 */
public record Storage(double medianMillis, double sigma, boolean stalls, int entitiesPerSecond) {
    private static final double NANOS_A_MILLI = 1e6;
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final double LONG_STALLS = 0.0001;
    private static final double STALLS = 0.001;
    private static final int LONG_STALL_SECONDS = 5;

    Storage stalling() {
        return new Storage(medianMillis, sigma, true, entitiesPerSecond);
    }

    Storage serving(int entities) {
        return new Storage(medianMillis, sigma, stalls, entities);
    }

    /** The median time of an exchange. */
    double rttNanos() {
        return medianMillis * NANOS_A_MILLI;
    }

    long exchangeNanos(SplittableRandom random) {
        return (long) (rttNanos() * Math.exp(sigma * random.nextGaussian()));
    }

    /** Returns the additional time of an exchange, which is usually 0. */
    long stallNanos(SplittableRandom random) {
        double drawn = stalls ? random.nextDouble() : 1;
        if (drawn < LONG_STALLS) {
            return LONG_STALL_SECONDS * SECOND_NANOS;
        }
        return drawn < LONG_STALLS + STALLS ? SECOND_NANOS : 0;
    }
}
