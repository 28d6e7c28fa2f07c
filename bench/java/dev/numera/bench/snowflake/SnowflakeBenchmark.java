package dev.numera.bench.snowflake;

import dev.numera.contract.MemoryWorkerStore;
import dev.numera.counter.Deadline;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.snowflake.Snowflakes;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import me.ahoo.cosid.snowflake.AbstractSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Ids from a clock, ours and CosId's, both with 38, 7 and 8 bits and on a clock that goes {@value #FASTER} times as
 * fast as the true one: else both would only wait for the next tick.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class SnowflakeBenchmark {
    static final int FASTER = 4_000;
    private static final long NANOS_A_TICK = 10_000_000 / FASTER;
    private static final Instant BEGAN = Instant.parse("2026-11-22T12:00:00Z");
    private static final long BEGAN_NANOS = System.nanoTime();
    private static final SequenceName NAME = new SequenceName("bench", "snowflake");

    private static long ticks() {
        return (System.nanoTime() - BEGAN_NANOS) / NANOS_A_TICK;
    }

    /** Numera's, with a lease in memory that is renewed in the background. */
    @State(Scope.Benchmark)
    public static class Numera {
        private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "numera-lease");
            thread.setDaemon(true);
            return thread;
        });
        private final Timekeeper time = new FastClock();
        private Snowflakes snowflakes;

        @Setup
        public void open() {
            snowflakes = new Snowflakes(
                    new MemoryWorkerStore(),
                    time,
                    () -> ThreadLocalRandom.current().nextDouble(),
                    threads);
        }

        @TearDown
        public void close() {
            threads.shutdownNow();
        }

        /** As the app takes one. */
        long take() {
            long id = snowflakes.takeAtOnce(NAME, 1);
            return id == Snowflakes.NO_ID ? snowflakes.take(NAME, 1, Deadline.in(Duration.ofSeconds(10), time)) : id;
        }
    }

    /** CosId's. */
    @State(Scope.Benchmark)
    public static class CosId {
        private final AbstractSnowflakeId ids = new AbstractSnowflakeId(0, 38, 7, 8, 5, 0) {
            @Override
            protected long getCurrentTime() {
                return ticks();
            }
        };
    }

    private static final class FastClock implements Timekeeper {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return BEGAN.plusMillis(ticks() * 10);
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos() / FASTER);
        }

        @Override
        public <T> T await(CompletableFuture<T> result, Duration atMost)
                throws InterruptedException, ExecutionException, TimeoutException {
            return result.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Benchmark
    public long numera(Numera state) {
        return state.take();
    }

    @Benchmark
    public long cosId(CosId state) {
        return state.ids.generate();
    }
}
