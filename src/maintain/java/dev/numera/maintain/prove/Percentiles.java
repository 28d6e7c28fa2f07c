package dev.numera.maintain.prove;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Nearest-rank percentiles in milliseconds; 0 if nothing was measured. */
record Percentiles(int measured, double p50, double p90, double p99) {
    static Percentiles of(DoubleStream millis) {
        double[] sorted = millis.toArray();
        Arrays.sort(sorted);
        return new Percentiles(sorted.length, at(sorted, 50), at(sorted, 90), at(sorted, 99));
    }

    private static double at(double[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
    }

    @Override
    public String toString() {
        return measured == 0
                ? "not measured"
                : String.format(Locale.ROOT, "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms", p50, p90, p99);
    }
}
