package dev.numera.bench.cached;

import dev.numera.bench.strategy.OpenCounter;
import dev.numera.bench.strategy.StoreDistributor;
import dev.numera.contract.GivenTerms;
import dev.numera.counter.Backoff;
import dev.numera.counter.BlockCounter;
import dev.numera.counter.CoarseClock;
import dev.numera.counter.Counter;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.CounterStore;
import dev.numera.counter.Deadline;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.Observations;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.counter.Terms;
import dev.numera.counter.Timekeeper;
import dev.numera.fixtures.Unwatched;
import dev.numera.format.ResetEvery;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import me.ahoo.cosid.segment.SegmentChainId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Numbers from memory: blocks of {@value #BLOCK} over the same store in memory, ours and CosId's. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CachedBenchmark {
    static final int BLOCK = 10_000;
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int MAX_ATTEMPTS = 50;
    private static final int MAX_WAITING_CALLS = 200;
    private static final FixedFields FIXED =
            new FixedFields(Guarantee.CACHED, 1, 1, false, ResetEvery.NEVER, ZoneId.of("UTC"), 1);

    /** Numera's blocks. */
    @State(Scope.Benchmark)
    public static class Numera {
        private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "numera-block");
            thread.setDaemon(true);
            return thread;
        });
        private BlockCounter blocks;

        @Setup
        public void open() {
            blocks = blocks(new MemoryStore());
        }

        @TearDown
        public void close() {
            threads.shutdownNow();
        }

        /** A number, from memory where it can be, as the app takes one. */
        static long take(BlockCounter blocks) {
            long number = blocks.takeAtOnce(1, BLOCK);
            return number == BlockCounter.NO_NUMBER
                    ? blocks.take(1, BLOCK, Deadline.in(DEADLINE, Timekeeper.SYSTEM))
                    : number;
        }

        BlockCounter blocks(CounterStore store) {
            CounterLimits limits = new CounterLimits(
                    MAX_ATTEMPTS,
                    DEADLINE,
                    new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)),
                    Duration.ofSeconds(2),
                    MAX_WAITING_CALLS);
            Counter.Surroundings surroundings = new Counter.Surroundings(
                    store,
                    Timekeeper.SYSTEM,
                    () -> ThreadLocalRandom.current().nextDouble(),
                    threads,
                    "benchmark",
                    new Observations(1_000));
            return new BlockCounter(
                    new Counter(id(), FIXED, new MemoryTerms(), limits, surroundings, new Unwatched()),
                    new CoarseClock(),
                    threads);
        }
    }

    /** CosId's segments. */
    @State(Scope.Benchmark)
    public static class CosId {
        private SegmentChainId chain;

        @Setup
        public void open() {
            chain = chain(new MemoryStore());
        }

        static SegmentChainId chain(CounterStore store) {
            OpenCounter.in(store, id(), "1");
            return new SegmentChainId(new StoreDistributor(store, id(), BLOCK));
        }
    }

    /** A definition in memory, too. */
    private static final class MemoryTerms implements Terms.Source {
        private volatile boolean isInUse;

        @Override
        public Terms current() {
            return new GivenTerms(
                    FIXED,
                    new Series(1, 1, 1, Series.LARGEST_VALUE, false),
                    Terms.TextFormat.NONE,
                    false,
                    isInUse,
                    "1");
        }

        @Override
        public Terms reloaded() {
            return current();
        }

        @Override
        public Terms markable() {
            return current();
        }

        @Override
        public void marked(Terms terms) {
            isInUse = true;
        }
    }

    @Benchmark
    public long numera(Numera state) {
        return Numera.take(state.blocks);
    }

    @Benchmark
    public long cosId(CosId state) {
        return state.chain.generate();
    }

    private static CounterId id() {
        return new CounterId(new SequenceName("bench", "cached"), "");
    }
}
