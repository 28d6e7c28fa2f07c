package dev.numera.bench.cached;

import dev.numera.counter.BlockCounter;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link CachedBenchmark}, or another one of two contestants, in JVMs of its own.
 *
 * @param numera numbers a second from Numera
 * @param cosId numbers a second from CosId
 */
public record CachedRun(int threads, double numera, double cosId) {
    private static final int COUNTED_NUMBERS = 1_000_000;

    /** @param isQuick with iterations too short to say much */
    public static CachedRun of(int threads, boolean isQuick) {
        return of(CachedBenchmark.class, threads, isQuick);
    }

    /** As the other, of another class with the same two contestants. */
    public static CachedRun of(Class<?> benchmark, int threads, boolean isQuick) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName())
                .threads(threads)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .forks(isQuick ? 1 : 2)
                .warmupIterations(isQuick ? 1 : 3)
                .warmupTime(TimeValue.milliseconds(isQuick ? 300 : 1_000))
                .measurementIterations(isQuick ? 2 : 5)
                .measurementTime(TimeValue.milliseconds(isQuick ? 300 : 1_000));
        try {
            Collection<RunResult> results = new Runner(options.build()).run();
            return new CachedRun(threads, score(results, "numera"), score(results, "cosId"));
        } catch (RunnerException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * How many writes Numera's blocks make for each block's worth of numbers, counted over {@value #COUNTED_NUMBERS}
     * numbers.
     */
    public static double writesPerBlock(int threads) {
        MemoryStore store = new MemoryStore();
        BlockCounter blocks = new CachedBenchmark.Numera().blocks(store);
        List<Thread> takers = IntStream.range(0, threads)
                .mapToObj(taker -> new Thread(() -> IntStream.range(0, COUNTED_NUMBERS / threads)
                        .forEach(i -> CachedBenchmark.Numera.take(blocks))))
                .toList();
        takers.forEach(Thread::start);
        takers.forEach(CachedRun::join);
        return store.writes() / ((double) COUNTED_NUMBERS / CachedBenchmark.BLOCK);
    }

    private static double score(Collection<RunResult> results, String method) {
        return results.stream()
                .filter(result -> result.getPrimaryResult().getLabel().equals(method))
                .findFirst()
                .orElseThrow()
                .getPrimaryResult()
                .getScore();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
