package dev.numera.bench.virtual;

import java.time.Duration;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * The result of a scene.
 *
 * @param latency the full time of each call that started in the window, in nanoseconds
 * @param numbersOf for each instance, the numbers of calls that ended in the window
 * @param requests the requests to storage in the window
 * @param operations the entities in these requests
 * @param failures the calls without a number
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

    /** The rate, divided by the rate at which every caller would get a number per round trip. */
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

    /** The numbers of the slowest instance, divided by the mean. */
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
