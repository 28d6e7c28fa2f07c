package dev.numera.bench.virtual;

import dev.numera.contract.Defined;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Limits;
import dev.numera.fixtures.TestLimits;
import dev.numera.functions.Settings;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.numbering.Allocator;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * One scene in virtual time: instances of the app without HTTP, over one distant table. Measures the calls that start
 * in the window until they end; callers keep calling until then.
 */
final class Run {
    private static final SequenceName NAME = new SequenceName("bench", "number");
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final long LONGEST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;
    /** More than the callers of an instance. */
    private static final String MAX_WAITING_CALLS = "300";

    private final Scene scene;
    private final VirtualTime time = new VirtualTime();
    private final Limits limits;
    private final DistantTable table;
    private final long opensNanos;
    private final long closesNanos;
    private final Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
    private final long[] numbersOf;
    private final Set<Long> numbers = new HashSet<>();
    private long highestAnswered;
    private long failures;
    private int measuring;
    private long requestsBefore;
    private long requestsAfter;
    private long operationsBefore;
    private long operationsAfter;

    private Run(Scene scene, Duration window, long seed) {
        this.scene = scene;
        this.limits = Settings.of(Map.of(
                        "NumeraStorage", "UseDevelopmentStorage=true", "Numera_MaxWaitingCalls", MAX_WAITING_CALLS))
                .limits();
        SplittableRandom random = new SplittableRandom(seed);
        this.table = new DistantTable(time, scene.storage(), limits.requestTimeout(), random.split());
        this.opensNanos = WARM_UP.toNanos();
        this.closesNanos = opensNanos + window.toNanos();
        this.numbersOf = new long[scene.instances()];
        for (int instance = 0; instance < scene.instances(); instance++) {
            start(instance, random.split());
        }
    }

    /**
     * Runs a scene. Usually blocks for less than the length of the window.
     *
     * @param window the length of the window in virtual time, after a warm-up
     */
    static Measured of(Scene scene, Duration window, long seed) {
        Run run = new Run(scene, window, seed);
        run.define();
        run.time.at(run.opensNanos, () -> {
            run.requestsBefore = run.table.requests();
            run.operationsBefore = run.table.operations();
        });
        run.time.at(run.closesNanos, () -> {
            run.requestsAfter = run.table.requests();
            run.operationsAfter = run.table.operations();
        });
        run.time.run();
        return run.measured(window);
    }

    private void define() {
        Sequence defined =
                Defined.stored(NAME, "an id", Definition.DEFAULT, new FormatHistory(List.of(), 0), false, null, null);
        table.table().insert(defined, Change.created(defined.definition(), ChangeNote.NONE, time.now()));
    }

    private Measured measured(Duration window) {
        return new Measured(
                scene,
                window,
                latency,
                numbersOf.clone(),
                requestsAfter - requestsBefore,
                operationsAfter - operationsBefore,
                failures);
    }

    private void start(int instance, SplittableRandom random) {
        TestLimits bounds = new TestLimits(
                limits.maxAttempts(),
                limits.deadline(),
                limits.backoff(),
                limits.requestTimeout(),
                limits.lossesBeforePeerRequest(),
                limits.maxWaitingCalls(),
                limits.maxIdleCounters());
        Allocator allocator = TestSequences.over(table.stores())
                .with(AutoCreate.NEVER)
                .with(bounds)
                .with(time)
                .with(OpenTelemetry.noop())
                .with(random.split()::nextDouble, time)
                .start()
                .allocator();
        for (int caller = 0; caller < scene.callersEach(); caller++) {
            String key = "order-" + instance + "-" + caller + "-";
            SplittableRandom pauses = random.split();
            time.execute(() -> new Caller(allocator, instance, key, pauses).call());
        }
    }

    /** Whether callers must continue: the window is open, or a call that started in the window has not ended. */
    private boolean goesOn() {
        return time.nanoTime() < closesNanos || measuring > 0;
    }

    private boolean isInWindow(long nanos) {
        return opensNanos <= nanos && nanos < closesNanos;
    }

    /** One caller of an instance. */
    private final class Caller {
        private final Allocator allocator;
        private final int instance;
        private final String key;
        private final SplittableRandom pauses;
        private long calls;

        Caller(Allocator allocator, int instance, String key, SplittableRandom pauses) {
            this.allocator = allocator;
            this.instance = instance;
            this.key = key;
            this.pauses = pauses;
        }

        void call() {
            pause();
            while (goesOn()) {
                next();
                pause();
            }
        }

        private void pause() {
            if (scene.pauseMillis() > 0) {
                double millis = -scene.pauseMillis() * Math.log(1 - pauses.nextDouble());
                time.sleep(Duration.ofNanos((long) (millis * 1e6)));
            }
            if (scene.turnMillis() > 0) {
                long turn = calls * scene.instances() + instance;
                time.sleep(Duration.ofNanos(
                        Math.max(0, Duration.ofMillis(turn * scene.turnMillis()).toNanos() - time.nanoTime())));
            }
        }

        private void next() {
            calls++;
            long began = time.nanoTime();
            long answeredBefore = highestAnswered;
            boolean isMeasured = isInWindow(began);
            measuring += isMeasured ? 1 : 0;
            try {
                answered(
                        allocator.next(
                                NAME, List.of(new NumberRequest(scene.withKeys() ? key + calls : null, 1, null))),
                        answeredBefore);
            } catch (ProblemException e) {
                failures += isMeasured ? 1 : 0;
            }
            measuring -= isMeasured ? 1 : 0;
            if (isMeasured) {
                latency.recordValue(Math.min(time.nanoTime() - began, LONGEST_NANOS));
            }
        }

        private void answered(CallResult<PrintedAllocation> numbered, long answeredBefore) {
            long number = numbered.results().get(0).orThrow().first();
            if (!numbers.add(number) || number <= answeredBefore) {
                throw new IllegalStateException(scene.title() + ": " + number + " came twice or late.");
            }
            highestAnswered = Math.max(highestAnswered, number);
            if (isInWindow(time.nanoTime())) {
                numbersOf[instance]++;
            }
        }
    }
}
