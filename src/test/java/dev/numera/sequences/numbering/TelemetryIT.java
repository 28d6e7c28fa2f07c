package dev.numera.sequences.numbering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestLimits;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The metrics and log lines, recorded by the SDK's in-memory exporter. */
class TelemetryIT {
    @RegisterExtension
    static final OpenTelemetryExtension MEASURED = OpenTelemetryExtension.create();

    private final SequenceName name = new SequenceName("secret-scope", "range");

    private static Sequences sequences(String connection) {
        return TestSequences.over(TestAccount.withTables(connection))
                .with(TestLimits.DEFAULT)
                .with(MEASURED.getOpenTelemetry())
                .start();
    }

    @Test
    void anAllocationIsMeasuredWithoutNamesAndKeysAndWarnsOnceNearTheEnd() {
        List<String> log = new ArrayList<>();
        Handler listening = listeningTo(log);
        Logger logger = Logger.getLogger(Telemetry.class.getName());
        logger.addHandler(listening);
        Sequences sequences = sequences(SharedAzurite.connectionString());
        sequences
                .editor()
                .put(
                        name,
                        DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 20L),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        for (int number = 1; number <= 20; number++) {
            sequences
                    .allocator()
                    .next(name, List.of(new NumberRequest("secret-key-" + number, 1, null)))
                    .results()
                    .get(0)
                    .orThrow();
        }
        ProblemException exhausted = sequences
                .allocator()
                .next(name, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .problem();
        assertEquals("EXHAUSTED", exhausted.type().name());
        logger.removeHandler(listening);

        List<MetricData> metrics = MEASURED.getMetrics();
        assertEquals(
                Set.of(
                        "numera.allocations",
                        "numera.numbers",
                        "numera.attempts",
                        "numera.group_size",
                        "numera.queue_wait",
                        "numera.allocation.duration",
                        "numera.range_used"),
                metrics.stream().map(MetricData::getName).collect(Collectors.toSet()));
        assertEquals(20, sum(metrics, "numera.numbers"));
        assertEquals(21, sum(metrics, "numera.allocations"));
        assertEquals(20, sum(metrics, "numera.attempts"));
        assertFalse(metrics.toString().contains("secret"), "labels must be bounded");

        List<SpanData> spans = MEASURED.getSpans();
        SpanData attempt = spans.stream()
                .filter(span -> span.getName().equals("numera.attempt"))
                .findFirst()
                .orElseThrow();
        SpanData call = spans.stream()
                .filter(span -> span.getName().equals("numera.allocate"))
                .findFirst()
                .orElseThrow();
        assertEquals(call.getSpanId(), attempt.getParentSpanId(), "an attempt shows within its call");
        assertFalse(spans.toString().contains("secret"));

        assertEquals(List.of("90 % of the range is used: scope secret-scope, name range, 2 numbers left"), log);
    }

    @ParameterizedTest
    @EnumSource(names = "SNOWFLAKE", mode = EnumSource.Mode.EXCLUDE)
    void writesThatAreLostOrFoundWonAreCountedByTheGuarantee(Guarantee guarantee) {
        String word = guarantee.name().toLowerCase(Locale.ROOT);
        SequenceName contested = new SequenceName("contested", word);
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            // The loser writes on the state of its last write, although its rival has written since.
            Sequences loser = sequences(proxy.connectionString());
            Sequences rival = sequences(SharedAzurite.connectionString());
            loser.editor()
                    .put(
                            contested,
                            DefinitionDraft.EMPTY
                                    .with(DefinitionField.GUARANTEE, guarantee)
                                    .with(DefinitionField.CACHE_SIZE, 1),
                            Precondition.ABSENT,
                            ChangeNote.NONE);
            assertEquals(1, takeTwo(loser, contested, guarantee, "a"));
            assertEquals(3, takeTwo(rival, contested, guarantee, "b"));
            assertEquals(5, takeTwo(loser, contested, guarantee, "c"));
            RequestKind write =
                    guarantee == Guarantee.GAPLESS ? RequestKind.TRANSACTION : RequestKind.CONDITIONAL_WRITE;
            proxy.inject(Fault.replyLost(), Nth.of(write, 1));
            assertEquals(7, takeTwo(loser, contested, guarantee, "d"));
            assertEquals(Map.of("reply-lost", 1L), proxy.traffic().faults());
        }

        List<MetricData> metrics = MEASURED.getMetrics();
        assertEquals(1, sum(metrics, "numera.conflicts"));
        assertEquals(1, sum(metrics, "numera.unknown_resolved"));
        metrics.forEach(metric -> metric.getData()
                .getPoints()
                .forEach(point -> assertEquals(
                        word, point.getAttributes().get(AttributeKey.stringKey("guarantee")), metric::getName)));
    }

    /** Takes more numbers than the block of a cached sequence holds, so that each call is a write. */
    private static long takeTwo(Sequences sequences, SequenceName name, Guarantee guarantee, String key) {
        NumberRequest request = new NumberRequest(guarantee == Guarantee.GAPLESS ? key : null, 2, null);
        return sequences
                .allocator()
                .next(name, List.of(request))
                .results()
                .get(0)
                .orThrow()
                .first();
    }

    private static double sum(List<MetricData> metrics, String name) {
        return metrics.stream()
                .filter(metric -> metric.getName().equals(name))
                .flatMap(metric -> metric.getLongSumData().getPoints().stream())
                .mapToLong(point -> point.getValue())
                .sum();
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
