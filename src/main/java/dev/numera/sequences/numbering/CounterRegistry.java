package dev.numera.sequences.numbering;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.core.counter.BlockCounter;
import dev.numera.core.counter.Counter;
import dev.numera.core.counter.CounterEnvironment;
import dev.numera.core.counter.DefinitionSource;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Limits;
import dev.numera.sequences.access.DefinitionCache;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The counters of this process, where calls meet to be merged: one for each counter that is used, and the blocks of
 * those that are cached. Thread-safe.
 */
public final class CounterRegistry {
    /**
     * A counter by one reading of the fixed fields. They may change until the first number, and decide on the period,
     * on keys and on blocks: what was requested by one reading must never be written by another.
     */
    private record DefinedCounter(CounterId id, FixedFields fixed) {}

    /**
     * One for each key. The least used are forgotten, but none that anything still uses: what a call, a leader or a
     * request in the background holds is found again, so that there is never another one beside it.
     *
     * <p>None is forgotten for its age: it remembers how far it has seen its counter, and so notices when an old table
     * is put back. Tidies up on the thread that finds it due.
     */
    private static final class Held<T> {
        private final Cache<DefinedCounter, T> mostUsed;
        private final Cache<DefinedCounter, T> inUse =
                Caffeine.newBuilder().weakValues().executor(Runnable::run).build();

        Held(int maxIdle) {
            this.mostUsed = Caffeine.newBuilder()
                    .maximumSize(maxIdle)
                    .executor(Runnable::run)
                    .build();
        }

        T get(DefinedCounter key, Function<DefinedCounter, T> make) {
            return mostUsed.get(key, missing -> inUse.get(missing, make));
        }

        /** All that are there. */
        Map<DefinedCounter, T> all() {
            return inUse.asMap();
        }
    }

    private final DefinitionCache definitions;
    private final Limits limits;
    private final CounterEnvironment environment;
    private final Telemetry telemetry;
    private final AtomicLong made = new AtomicLong();
    private final Held<Counter> counters;
    private final Held<BlockCounter> blocks;

    public CounterRegistry(
            DefinitionCache definitions, Limits limits, CounterEnvironment environment, Telemetry telemetry) {
        this.definitions = definitions;
        this.limits = limits;
        this.environment = environment;
        this.telemetry = telemetry;
        this.counters = new Held<>(limits.maxIdleCounters());
        this.blocks = new Held<>(limits.maxIdleCounters());
    }

    Counter counter(Sequence known, CounterId id) {
        return counters.get(new DefinedCounter(id, known.fixed()), this::newCounter);
    }

    /** The blocks of a cached sequence, with their counter. */
    BlockCounter blocks(Sequence known, CounterId id) {
        return blocks.get(
                new DefinedCounter(id, known.fixed()),
                missing -> new BlockCounter(counters.get(missing, this::newCounter), environment.leaders()));
    }

    void discardBlocks(SequenceName name) {
        blocks.all().forEach((defined, counter) -> {
            if (defined.id().sequence().equals(name)) {
                counter.discard();
            }
        });
    }

    private Counter newCounter(DefinedCounter defined) {
        SequenceName name = defined.id().sequence();
        DefinitionSource source = new DefinitionSource() {
            @Override
            public Sequence current() {
                return definitions.get(name);
            }

            @Override
            public Sequence reloaded() {
                return definitions.reload(name);
            }

            @Override
            public Sequence markable() {
                return definitions.markable(name);
            }

            @Override
            public void marked(Sequence definition) {
                definitions.marked(name, Objects.requireNonNull(definition.version(), "Only a version can be marked."));
            }
        };
        return new Counter(
                defined.id(),
                defined.fixed(),
                source,
                limits,
                environment.ofCounter(made.incrementAndGet()),
                telemetry.of(defined.id(), defined.fixed().guarantee()));
    }
}
