package dev.numera.functions.http;

import dev.numera.sequences.numbering.Telemetry;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.LongCounter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Counts the calls that lack a right, in the metric {@value #METRIC} and in at most one log line a second, so that
 * refused calls cannot flood the log. Thread-safe.
 */
final class RefusedCalls {
    static final String METRIC = "numera.rights_missing";
    static final RefusedCalls OF_THE_PROCESS = new RefusedCalls(System::nanoTime, GlobalOpenTelemetry.get());

    private static final Logger LOG = Logger.getLogger(RefusedCalls.class.getName());
    private static final long BETWEEN_LINES_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final LongCounter metric;
    private long loggedNanos;
    private long sinceLine;

    RefusedCalls(LongSupplier nanoTime, OpenTelemetry telemetry) {
        this.nanoTime = nanoTime;
        this.loggedNanos = nanoTime.getAsLong() - BETWEEN_LINES_NANOS;
        this.metric = telemetry
                .getMeter(Telemetry.SOURCE)
                .counterBuilder(METRIC)
                .setDescription("Calls refused because their rights do not suffice")
                .build();
    }

    /** Counts a refused call, and logs the calls since the last line unless that line is less than a second old. */
    void count(List<String> needs, List<String> has) {
        metric.add(1);
        long refused = refusedSinceLine();
        if (refused > 0) {
            LOG.log(
                    Level.INFO,
                    "Calls refused because of missing rights: {0}. The last one needs one of {1} and has {2}",
                    new Object[] {refused, needs, has});
        }
    }

    /** Returns how many calls the line to write now counts; zero if the last line is less than a second old. */
    private synchronized long refusedSinceLine() {
        sinceLine++;
        long now = nanoTime.getAsLong();
        if (now - loggedNanos < BETWEEN_LINES_NANOS) {
            return 0;
        }
        loggedNanos = now;
        long refused = sinceLine;
        sinceLine = 0;
        return refused;
    }
}
