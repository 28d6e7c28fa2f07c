package dev.numera.sequences.numbering;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.core.counter.CounterEvents;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.PrintedAllocation;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Records metrics, spans and range warnings with the OpenTelemetry API. Labels are the guarantee and the outcome, never
 * the name of a sequence or a key, because their number is unlimited. Thread-safe.
 */
public final class Telemetry {
    /** The source that the app names for its metrics and traces. */
    public static final String SOURCE = "dev.numera";

    /** The alert rule and the workbook look for this text. */
    public static final String RANGE_WARNING = "of the range is used";

    /** The workbook draws this metric. */
    public static final String PEER_REQUESTS = "numera.peer_requests";

    private static final int MAX_WARNED = 10_000;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = Logger.getLogger(Telemetry.class.getName());
    private static final AttributeKey<String> GUARANTEE = AttributeKey.stringKey("guarantee");
    private static final AttributeKey<String> RESULT = AttributeKey.stringKey("result");
    private static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("numera.attempts");
    private static final AttributeKey<Long> GROUP_SIZE = AttributeKey.longKey("numera.group_size");

    private final Tracer tracer;
    private final LongCounter allocations;
    private final LongCounter numbers;
    private final LongCounter attempts;
    private final LongCounter conflicts;
    private final LongCounter peerRequests;
    private final LongCounter unknownResolved;
    private final LongHistogram groupSize;
    private final DoubleHistogram queueWait;
    private final DoubleHistogram duration;
    private final DoubleHistogram rangeUsed;
    private final Cache<CounterId, Warning> warned =
            Caffeine.newBuilder().maximumSize(MAX_WARNED).build();

    /** A warning that was logged. A new percentage or a new end of the range causes another warning. */
    private record Warning(int percent, long end) {}

    public Telemetry(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer(SOURCE);
        Meter meter = openTelemetry.getMeter(SOURCE);
        this.allocations = meter.counterBuilder("numera.allocations")
                .setDescription("Calls for numbers, by how they ended")
                .build();
        this.numbers = meter.counterBuilder("numera.numbers")
                .setDescription("Numbers allocated, replays included")
                .build();
        this.attempts = meter.counterBuilder("numera.attempts")
                .setDescription("Conditional writes sent, by how they ended")
                .build();
        this.conflicts = meter.counterBuilder("numera.conflicts")
                .setDescription("Writes lost to another instance")
                .build();
        this.peerRequests = meter.counterBuilder(PEER_REQUESTS)
                .setDescription(
                        "Groups that requested numbers from other instances: won when one allocated them, lost when not in time")
                .build();
        this.unknownResolved = meter.counterBuilder("numera.unknown_resolved")
                .setDescription("Writes without a trustworthy answer that were found to be won")
                .build();
        this.groupSize = meter.histogramBuilder("numera.group_size")
                .ofLongs()
                .setDescription("Calls that shared a write, those of other instances included")
                .build();
        this.queueWait = seconds(meter, "numera.queue_wait", "How long a call waited for its turn");
        this.duration = seconds(meter, "numera.allocation.duration", "How long a call for numbers took");
        this.rangeUsed = meter.histogramBuilder("numera.range_used")
                .setUnit("1")
                .setDescription("Share of the range used, at each write")
                .build();
    }

    /** Measures a call for numbers, in a span of its own. */
    CallResult<PrintedAllocation> allocation(Guarantee guarantee, Supplier<CallResult<PrintedAllocation>> call) {
        long began = System.nanoTime();
        Attributes labels = labels(guarantee);
        Span span =
                tracer.spanBuilder("numera.allocate").setAllAttributes(labels).startSpan();
        @SuppressWarnings(
                "MustBeClosedChecker") // Closed in the finally block, after the metrics of the call are recorded.
        Scope scope = span.makeCurrent();
        String result = "failed";
        try {
            CallResult<PrintedAllocation> numbered = call.get();
            span.setAttribute(ATTEMPTS, (long) numbered.attempts());
            result = "numbered";
            long count = 0;
            for (Result<PrintedAllocation> one : numbered.results()) {
                PrintedAllocation printed = one.value();
                if (printed == null) {
                    result = "refused";
                } else {
                    count += printed.count();
                }
            }
            numbers.add(count, labels);
            return numbered;
        } catch (ProblemException e) {
            result = EnumWord.of(e.type());
            span.setStatus(StatusCode.ERROR, result);
            throw e;
        } finally {
            Attributes ended = ended(labels, result);
            allocations.add(1, ended);
            duration.record((System.nanoTime() - began) / NANOS_PER_SECOND, ended);
            scope.close();
            span.end();
        }
    }

    /** Returns the listener that records the events of one counter. */
    CounterEvents of(CounterId id, Guarantee guarantee) {
        return new OneCounter(id, guarantee);
    }

    private static Attributes labels(Guarantee guarantee) {
        return Attributes.of(GUARANTEE, EnumWord.of(guarantee));
    }

    private static Attributes ended(Attributes labels, String result) {
        return labels.toBuilder().put(RESULT, result).build();
    }

    private static String word(WriteResult result) {
        if (result instanceof WriteResult.Won) {
            return "won";
        }
        if (result instanceof WriteResult.Unknown) {
            return "unknown";
        }
        return result.hasClashed() ? "clashed" : "lost";
    }

    private final class OneCounter implements CounterEvents {
        private final CounterId id;
        private final Attributes labels;

        OneCounter(CounterId id, Guarantee guarantee) {
            this.id = id;
            this.labels = labels(guarantee);
        }

        @Override
        public void waited(long nanos) {
            queueWait.record(nanos / NANOS_PER_SECOND, labels);
        }

        @Override
        public void attempted(WriteResult result, int calls, long nanos) {
            if (result instanceof WriteResult.Won) {
                groupSize.record(calls, labels);
            }
            if (result.isOvertaken()) {
                conflicts.add(1, labels);
            }
            attempt(word(result), calls, nanos);
        }

        @Override
        public void failed(int calls, long nanos) {
            attempt("failed", calls, nanos);
        }

        private void attempt(String result, int calls, long nanos) {
            Attributes endedLabels = ended(labels, result);
            attempts.add(1, endedLabels);
            long endNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            tracer.spanBuilder("numera.attempt")
                    .setStartTimestamp(endNanos - nanos, TimeUnit.NANOSECONDS)
                    .setAllAttributes(endedLabels)
                    .setAttribute(GROUP_SIZE, (long) calls)
                    .startSpan()
                    .end(endNanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void peerRequestEnded(boolean wasAnswered) {
            peerRequests.add(1, ended(labels, wasAnswered ? "won" : "lost"));
        }

        @Override
        public void foundWon() {
            unknownResolved.add(1, labels);
        }

        @Override
        public void reached(Sequence definition, CounterState state) {
            Series series = definition.series();
            long next = state.next();
            rangeUsed.record(series.used(next), labels);
            if (!definition.isNearlyUsed(next)) {
                warned.invalidate(id);
                return;
            }
            Warning warning = new Warning(definition.definition().warnAtPercent(), series.end());
            if (!series.cycle() && !warning.equals(warned.asMap().put(id, warning))) {
                String period = id.period().isEmpty() ? "" : ", period " + id.period();
                LOG.log(Level.WARNING, "{0} % {1}{2}: scope {3}, name {4}{5}, {6} numbers left", new Object[] {
                    warning.percent(),
                    definition.widenedFrom() == null ? "" : "of the last extension ",
                    RANGE_WARNING,
                    id.sequence().scope(),
                    id.sequence().name(),
                    period,
                    Long.toString(series.left(next))
                });
            }
        }
    }

    private static DoubleHistogram seconds(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .build();
    }
}
