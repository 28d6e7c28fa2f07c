package dev.numera.sequence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.counter.CounterEvents;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.problem.ProblemException;
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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * What is measured, by the OpenTelemetry API. Labels are the guarantee and how something ended, never a sequence's name or a key: there
 * is no end of those. Thread-safe.
 */
public final class Telemetry implements CounterEvents {
    /** The alert rule and the workbook look for this text. */
    public static final String RANGE_WARNING = "range 90 % used";
    private static final double WARN_AT_SHARE = 0.9;
    private static final int MAX_WARNED = 10_000;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = Logger.getLogger(Telemetry.class.getName());
    private static final AttributeKey<String> GUARANTEE = AttributeKey.stringKey("guarantee");
    private static final AttributeKey<String> RESULT = AttributeKey.stringKey("result");
    private static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("numera.attempts");
    private static final AttributeKey<Long> GROUP_SIZE = AttributeKey.longKey("numera.group_size");

    /** Labels are made once: to make them for each call would cost more than a number from memory does. */
    private static final Map<Guarantee, Attributes> LABELS = forEach(guarantee -> Attributes.of(GUARANTEE, word(guarantee)));

    private final Map<Guarantee, Map<String, Attributes>> endedLabels = forEach(guarantee -> new ConcurrentHashMap<>());
    private final Function<SequenceName, Guarantee> guarantees;
    private final Tracer tracer;
    private final LongCounter allocations;
    private final LongCounter numbers;
    private final LongCounter attempts;
    private final LongCounter conflicts;
    private final LongCounter unknownResolved;
    private final LongHistogram groupSize;
    private final DoubleHistogram queueWait;
    private final DoubleHistogram duration;
    private final DoubleHistogram rangeUsed;
    private final Cache<CounterId, Boolean> warned = Caffeine.newBuilder().maximumSize(MAX_WARNED).build();

    /** @param guarantees what is known of a sequence without asking storage; null where it is not known */
    Telemetry(OpenTelemetry openTelemetry, Function<SequenceName, Guarantee> guarantees) {
        this.guarantees = guarantees;
        this.tracer = openTelemetry.getTracer("dev.numera");
        Meter meter = openTelemetry.getMeter("dev.numera");
        this.allocations = meter.counterBuilder("numera.allocations").setDescription("Calls for numbers, by how they ended").build();
        this.numbers = meter.counterBuilder("numera.numbers").setDescription("Numbers handed out, replays included").build();
        this.attempts = meter.counterBuilder("numera.attempts").setDescription("Conditional writes sent, by how they ended").build();
        this.conflicts = meter.counterBuilder("numera.conflicts").setDescription("Writes lost to another instance").build();
        this.unknownResolved = meter.counterBuilder("numera.unknown_resolved")
                .setDescription("Writes without a trustworthy answer that were found to be won").build();
        this.groupSize = meter.histogramBuilder("numera.group_size").ofLongs().setDescription("Calls that shared a write").build();
        this.queueWait = seconds(meter, "numera.queue_wait", "How long a call waited for its turn");
        this.duration = seconds(meter, "numera.allocation.duration", "How long a call for numbers took");
        this.rangeUsed = meter.histogramBuilder("numera.range_used").setUnit("1").setDescription("Share of the range used, at each write").build();
    }

    /** Measures a call for numbers, in a span of its own. */
    Numbering.Numbered allocation(Guarantee guarantee, Supplier<Numbering.Numbered> call) {
        long began = System.nanoTime();
        Span span = tracer.spanBuilder("numera.allocate").setAttribute(GUARANTEE, word(guarantee)).startSpan();
        Scope scope = span.makeCurrent();
        String result = "failed";
        try {
            Numbering.Numbered numbered = call.get();
            span.setAttribute(ATTEMPTS, (long) numbered.attempts());
            result = numbered.hasProblem() ? "refused" : "numbered";
            numbers.add(numbered.count(), LABELS.get(guarantee));
            return numbered;
        } catch (ProblemException e) {
            result = word(e.type());
            span.setStatus(StatusCode.ERROR, result);
            throw e;
        } finally {
            Attributes ended = ended(guarantee, result);
            allocations.add(1, ended);
            duration.record((System.nanoTime() - began) / NANOS_PER_SECOND, ended);
            scope.close();
            span.end();
        }
    }

    @Override
    public void waited(CounterId id, long nanos) {
        queueWait.record(nanos / NANOS_PER_SECOND, guarantee(id));
    }

    @Override
    public void attempted(CounterId id, Result result, int calls, long nanos) {
        Attributes ended = ended(guarantees.apply(id.sequence()), word(result));
        attempts.add(1, ended);
        if (result == Result.WON) {
            groupSize.record(calls, guarantee(id));
        }
        if (result == Result.LOST) {
            conflicts.add(1, guarantee(id));
        }
        long endNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        tracer.spanBuilder("numera.attempt")
                .setStartTimestamp(endNanos - nanos, TimeUnit.NANOSECONDS)
                .setAllAttributes(ended)
                .setAttribute(GROUP_SIZE, (long) calls)
                .startSpan()
                .end(endNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void foundWon(CounterId id) {
        unknownResolved.add(1, guarantee(id));
    }

    @Override
    public void reached(CounterId id, Series series, CounterState state) {
        double total = series.left(series.start());
        long left = series.left(state.next());
        double used = 1 - left / total;
        rangeUsed.record(used, guarantee(id));
        if (used >= WARN_AT_SHARE && !series.cycle() && warned.asMap().putIfAbsent(id, true) == null) {
            String period = id.period().isEmpty() ? "" : ", period " + id.period();
            LOG.log(Level.WARNING, "{0}: scope {1}, name {2}{3}, {4} numbers left",
                    new Object[] {RANGE_WARNING, id.sequence().scope(), id.sequence().name(), period, Long.toString(left)});
        }
    }

    private Attributes guarantee(CounterId id) {
        Guarantee guarantee = guarantees.apply(id.sequence());
        return guarantee == null ? Attributes.empty() : LABELS.get(guarantee);
    }

    private Attributes ended(Guarantee guarantee, String result) {
        if (guarantee == null) {
            return Attributes.of(RESULT, result);
        }
        return endedLabels.get(guarantee).computeIfAbsent(result, any -> Attributes.of(GUARANTEE, word(guarantee), RESULT, any));
    }

    private static <T> Map<Guarantee, T> forEach(Function<Guarantee, T> value) {
        return new EnumMap<>(Arrays.stream(Guarantee.values()).collect(Collectors.toMap(Function.identity(), value)));
    }

    private static DoubleHistogram seconds(Meter meter, String name, String description) {
        return meter.histogramBuilder(name).setUnit("s").setDescription(description).build();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
