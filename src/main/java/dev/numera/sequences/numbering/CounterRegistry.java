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
 * The counters of this process, and the blocks of cached sequences. Each counter exists once, so that its calls can
 * share writes. Thread-safe.
 */
public final class CounterRegistry {
    /**
     * A counter together with the fixed fields that its callers read. The owner may change these fields until the first
     * number, and they decide on the period, the keys and the blocks: a request that was made under one version must
     * never be written under another.
     */
    private record DefinedCounter(CounterId id, FixedFields fixed) {
        /** Leaves the fixed fields out: few counters have a second version of them, and each call would hash all. */
        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    /**
     * A cache with one value for each key. Evicts the least used values, but finds an evicted value again while a call,
     * a leader or a background request still holds it. No key ever has two values in use.
     *
     * <p>Values do not expire by age, because a counter that remembers its last observed state can detect that an old
     * table was restored. Cleans up on the calling thread.
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

        /** Returns all values in use. */
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

    /** Returns the blocks of a cached sequence, together with their counter. */
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
