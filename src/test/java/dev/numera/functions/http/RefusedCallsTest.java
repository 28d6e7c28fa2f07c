package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A caller that lacks a right fills no log, and no refusal is uncounted. */
class RefusedCallsTest {
    @RegisterExtension
    static final OpenTelemetryExtension MEASURED = OpenTelemetryExtension.create();

    private static final Logger LOG = Logger.getLogger(RefusedCalls.class.getName());

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private RefusedCalls refused;

    @BeforeEach
    void start() {
        refused = new RefusedCalls(nanos::get, MEASURED.getOpenTelemetry());
    }

    @Test
    void aLineASecondCountsAllRefusals() {
        assertEquals(
                List.of("Calls refused because of missing rights: 1. The last one needs one of [Numera.Read:b,"
                        + " Numera.Read] and has [Numera.Read:a]"),
                linesOf(() -> refuse(1)));
        assertEquals(List.of(), linesOf(() -> refuse(500)));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
        assertEquals(List.of(), linesOf(() -> refuse(1)));
        nanos.addAndGet(1);
        assertEquals(1, linesOf(() -> refuse(300)).size());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(7));
        assertEquals("300", linesOf(() -> refuse(1)).get(0).replaceAll(".*rights: |\\..*", ""));
    }

    @Test
    void theMetricCountsEachRefusal() {
        refuse(501);

        MetricData metric = MEASURED.getMetrics().stream()
                .filter(data -> data.getName().equals("numera.rights_missing"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                List.of(501L),
                metric.getLongSumData().getPoints().stream()
                        .map(LongPointData::getValue)
                        .toList());
    }

    private void refuse(int calls) {
        for (int i = 0; i < calls; i++) {
            refused.count(List.of("Numera.Read:b", "Numera.Read"), List.of("Numera.Read:a"));
        }
    }

    private static List<String> linesOf(Runnable calls) {
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                assertEquals(Level.INFO, line.getLevel());
                lines.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {
                // This handler holds nothing back.
            }

            @Override
            public void close() {
                // This handler opens nothing.
            }
        };
        LOG.addHandler(handler);
        try {
            calls.run();
        } finally {
            LOG.removeHandler(handler);
        }
        return lines;
    }
}
