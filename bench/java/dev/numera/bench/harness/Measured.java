package dev.numera.bench.harness;

import dev.numera.bench.strategy.Traffic;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a cell came to: the best of its windows.
 *
 * @param numbersPerSecond of all processes together
 * @param eachProcess numbers a second of each process
 * @param latency of the calls, in nanoseconds; a call under way when the window closed is in it with its age then
 * @param inversions calls that got a smaller number than one answered before they started; 0 where order is not
 *     promised
 * @param firstFailure what the first failure said, or null
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

    /** Something for each number that was allocated; not a number where there was none. */
    public double perNumber(long count) {
        return numbers == 0 ? Double.NaN : (double) count / numbers;
    }

    /** The slowest process' share, as a part of the mean. */
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
