package dev.numera.bench.harness;

import dev.numera.bench.strategy.Traffic;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The result of a cell: its best window.
 *
 * @param numbersPerSecond the rate of all processes together
 * @param eachProcess the numbers per second of each process
 * @param latency the time of a call in nanoseconds; a call in progress at the end of the window counts with its age at
 *     that time
 * @param inversions the number of calls that received a smaller number than a call answered before their start; 0 if
 *     the strategy promises no order
 * @param firstFailure the message of the first failure, or null
 */
public record Measured(
        Cell cell,
        double numbersPerSecond,
        List<Double> eachProcess,
        Histogram latency,
        long numbers,
        long failures,
        long unfinished,
        long duplicates,
        long inversions,
        Traffic.Counts traffic,
        String firstFailure) {
    private static final double NANOS_PER_MILLI = 1e6;

    static Measured of(Cell cell, List<Report> reports, History history) {
        List<Double> rates = reports.stream()
                .map(report -> report.numbers() * 1e9 / report.elapsedNanos())
                .toList();
        Histogram latency = Caller.newHistogram();
        reports.forEach(report -> latency.add(decode(report.histogram())));
        Traffic.Counts traffic =
                reports.stream().map(Report::traffic).reduce(Traffic.Counts.NONE, Traffic.Counts::plus);
        return new Measured(
                cell,
                rates.stream().mapToDouble(Double::doubleValue).sum(),
                rates,
                latency,
                sum(reports, Report::numbers),
                sum(reports, Report::failures),
                sum(reports, Report::unfinished),
                history.duplicates(),
                cell.strategy().isOrdered() ? history.inversions() : 0,
                traffic,
                reports.stream()
                        .map(Report::firstFailure)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null));
    }

    public double p50Millis() {
        return latency.getValueAtPercentile(50) / NANOS_PER_MILLI;
    }

    public double p99Millis() {
        return latency.getValueAtPercentile(99) / NANOS_PER_MILLI;
    }

    public double maxMillis() {
        return latency.getMaxValue() / NANOS_PER_MILLI;
    }

    /** Divides a count by the number of allocated numbers; NaN if there were none. */
    public double perNumber(long count) {
        return numbers == 0 ? Double.NaN : (double) count / numbers;
    }

    /** Returns the rate of the slowest process divided by the mean rate. */
    public double smallestShare() {
        double smallest =
                eachProcess.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        return smallest * eachProcess.size() / numbersPerSecond;
    }

    private static long sum(List<Report> reports, java.util.function.ToLongFunction<Report> count) {
        return reports.stream().mapToLong(count).sum();
    }

    private static Histogram decode(String base64) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("A worker process sent a broken histogram.", e);
        }
    }
}
