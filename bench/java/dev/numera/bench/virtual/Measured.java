package dev.numera.bench.virtual;

import java.time.Duration;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * What a scene came to.
 *
 * @param latency in nanoseconds, of each call that began in the window, to its end
 * @param numbersOf each instance, of calls that ended in the window
 * @param requests to storage in the window
 * @param operations entities of these
 * @param failures calls without a number
 */
public record Measured(
        Scene scene,
        Duration window,
        Histogram latency,
        long[] numbersOf,
        long requests,
        long operations,
        long failures) {
    private static final double MEDIAN = 50;
    private static final double SLOWEST_OF_100 = 99;

    long numbers() {
        return Arrays.stream(numbersOf).sum();
    }

    double numbersPerSecond() {
        return numbers() * 1e9 / window.toNanos();
    }

    /** The rate, as a part of that at which each caller waits for one write. */
    public double ofCallersPerRtt() {
        return numbersPerSecond() * scene.storage().rttNanos() / 1e9 / scene.callers();
    }

    public double p50Rtt() {
        return latency.getValueAtPercentile(MEDIAN) / scene.storage().rttNanos();
    }

    public double p99Rtt() {
        return latency.getValueAtPercentile(SLOWEST_OF_100) / scene.storage().rttNanos();
    }

    double longestRtt() {
        return latency.getMaxValue() / scene.storage().rttNanos();
    }

    /** Of an instance, as a part of the mean. */
    public double smallestShare() {
        long smallest = Arrays.stream(numbersOf).min().orElse(0);
        return (double) smallest * numbersOf.length / numbers();
    }

    double requestsPerNumber() {
        return (double) requests / numbers();
    }

    double operationsPerNumber() {
        return (double) operations / numbers();
    }
}
