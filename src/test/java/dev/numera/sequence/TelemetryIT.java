package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.numera.counter.Backoff;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.problem.ProblemException;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is measured and logged, by the SDK's in-memory exporter. */
class TelemetryIT {
    @RegisterExtension
    static final OpenTelemetryExtension MEASURED = OpenTelemetryExtension.create();

    private final SequenceName name = new SequenceName("secret-scope", "range");

    private Sequences sequences() {
        StorageAccount account = new StorageAccount(
                new StorageConnection.ConnectionString(SharedAzurite.connectionString()), Duration.ofSeconds(2));
        account.createTables();
        CounterLimits limits = new CounterLimits(50, Duration.ofSeconds(10),
                new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)), Duration.ofMillis(30), 200);
        return Sequences.over(account.stores(), AutoCreate.ALWAYS, limits, 100, Timekeeper.SYSTEM, MEASURED.getOpenTelemetry());
    }

    @Test
    void anAllocationIsMeasuredWithoutNamesAndKeysAndWarnsOnceNearTheEnd() {
        List<String> log = new ArrayList<>();
        Handler listening = listeningTo(log);
        Logger logger = Logger.getLogger(Telemetry.class.getName());
        logger.addHandler(listening);
        Sequences sequences = sequences();
        sequences.administration().put(name,
                new DefinitionDraft(null, null, null, null, 20L, null, null, null, null, null, null), new Precondition.Absent());
        for (int number = 1; number <= 20; number++) {
            sequences.numbering().next(name, List.of(new Ask("secret-key-" + number, 1, null))).answers().get(0).orThrow();
        }
        ProblemException exhausted = sequences.numbering().next(name, List.of(new Ask(null, 1, null))).answers().get(0).problem();
        assertEquals("EXHAUSTED", exhausted.type().name());
        logger.removeHandler(listening);

        List<MetricData> metrics = MEASURED.getMetrics();
        assertEquals(Set.of("numera.allocations", "numera.numbers", "numera.attempts", "numera.group_size", "numera.queue_wait",
                "numera.allocation.duration", "numera.range_used"), metrics.stream().map(MetricData::getName).collect(Collectors.toSet()));
        assertEquals(20, sum(metrics, "numera.numbers"));
        assertEquals(21, sum(metrics, "numera.allocations"));
        assertEquals(20, sum(metrics, "numera.attempts"));
        assertFalse(metrics.toString().contains("secret"), "labels must be bounded");

        List<SpanData> spans = MEASURED.getSpans();
        SpanData attempt = spans.stream().filter(span -> span.getName().equals("numera.attempt")).findFirst().orElseThrow();
        SpanData call = spans.stream().filter(span -> span.getName().equals("numera.allocate")).findFirst().orElseThrow();
        assertEquals(call.getSpanId(), attempt.getParentSpanId(), "an attempt shows within its call");
        assertFalse(spans.toString().contains("secret"));

        assertEquals(List.of("range 90 % used: scope secret-scope, name range, 2 numbers left"), log);
    }

    private static double sum(List<MetricData> metrics, String name) {
        return metrics.stream().filter(metric -> metric.getName().equals(name))
                .flatMap(metric -> metric.getLongSumData().getPoints().stream()).mapToLong(point -> point.getValue()).sum();
    }

    private static Handler listeningTo(List<String> log) {
        return new Handler() {
            @Override
            public void publish(LogRecord record) {
                log.add(new SimpleFormatter().formatMessage(record));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
