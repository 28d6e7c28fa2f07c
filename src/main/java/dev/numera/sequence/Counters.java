package dev.numera.sequence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.counter.BlockCounter;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Terms;
import dev.numera.definition.Definitions;
import dev.numera.definition.KnownDefinition;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The counters of this process, where calls meet to be merged: one for each counter that is used, and the blocks of
 * those that are cached. Thread-safe.
 */
final class Counters {
    /**
     * A counter by one reading of the fixed fields. They may change until the first number, and decide on the period,
     * on keys and on blocks: what was asked for by one reading must never be written by another.
     */
    private record DefinedCounter(CounterId id, FixedFields fixed) {}

    private final Definitions definitions;
    private final CounterLimits limits;
    private final Counter.Surroundings surroundings;
    private final LongSupplier coarseNanos;
    private final Telemetry telemetry;
    private final Cache<DefinedCounter, Counter> counters;
    private final Cache<DefinedCounter, BlockCounter> blocks;

    Counters(
            Definitions definitions,
            SequenceLimits limits,
            Counter.Surroundings surroundings,
            LongSupplier coarseNanos,
            Telemetry telemetry) {
        this.definitions = definitions;
        this.limits = limits.counters();
        this.surroundings = surroundings;
        this.coarseNanos = coarseNanos;
        this.telemetry = telemetry;
        this.counters = leastUsedOnesForgotten(limits.maxIdleCounters());
        this.blocks = leastUsedOnesForgotten(limits.maxIdleCounters());
    }

    /**
     * None is forgotten for its age: it remembers how far it has seen its counter, and so notices when an old table is
     * put back. Tidies up on the thread that finds it due: to wake another one costs more than a number from memory.
     */
    private static <T> Cache<DefinedCounter, T> leastUsedOnesForgotten(int maxIdleCounters) {
        return Caffeine.newBuilder()
                .maximumSize(maxIdleCounters)
                .executor(Runnable::run)
                .build();
    }

    /** One for each counter: that of a cached sequence is remembered with its blocks. */
    Counter counter(KnownDefinition known, CounterId id) {
        return known.fixed().guarantee() == Guarantee.CACHED
                ? blocks(known, id).counter()
                : counters.get(new DefinedCounter(id, known.fixed()), this::newCounter);
    }

    /** The blocks of a cached sequence, with their counter. */
    BlockCounter blocks(KnownDefinition known, CounterId id) {
        return blocks.get(
                new DefinedCounter(id, known.fixed()),
                missing -> new BlockCounter(newCounter(missing), coarseNanos, surroundings.leaders()));
    }

    /** The same if there are any. */
    Optional<BlockCounter> blocksInMemory(KnownDefinition known, CounterId id) {
        return Optional.ofNullable(blocks.getIfPresent(new DefinedCounter(id, known.fixed())));
    }

    void discardBlocks(SequenceName name) {
        blocks.asMap().forEach((defined, counter) -> {
            if (defined.id().sequence().equals(name)) {
                counter.discard();
            }
        });
    }

    private Counter newCounter(DefinedCounter defined) {
        SequenceName name = defined.id().sequence();
        Terms.Source terms = new Terms.Source() {
            @Override
            public Terms current() {
                return definitions.get(name);
            }

            @Override
            public Terms reloaded() {
                return definitions.reload(name);
            }

            @Override
            public Terms markable() {
                return definitions.markable(name);
            }

            @Override
            public void marked(Terms terms) {
                definitions.marked(name, Objects.requireNonNull(terms.version(), "Only a version can be marked."));
            }
        };
        return new Counter(
                defined.id(),
                defined.fixed(),
                terms,
                limits,
                surroundings,
                telemetry.of(defined.id(), defined.fixed().guarantee()));
    }
}
