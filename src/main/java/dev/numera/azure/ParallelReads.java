package dev.numera.azure;

import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Reads several rows in parallel, at most {@value #AT_ONCE} at once for each caller. Threads are created on demand, so
 * a caller whose reads hang does not slow other callers down. Thread-safe.
 */
public final class ParallelReads {
    private static final int AT_ONCE = 16;

    private final ExecutorService threads;

    /** @param threads unbounded */
    public ParallelReads(ExecutorService threads) {
        this.threads = threads;
    }

    /**
     * Returns the results of the reads, in no particular order. After the first failure it sends no more reads.
     *
     * @throws StoreFailure the first failure of a read, or the reads did not end in time
     */
    <T> List<T> all(List<Callable<T>> reads, Duration atMost) {
        long deadlineNanos = System.nanoTime() + atMost.toNanos();
        CompletionService<T> answers = new ExecutorCompletionService<>(threads);
        List<Future<T>> sent = new ArrayList<>();
        Iterator<Callable<T>> unsent = reads.iterator();
        List<T> results = new ArrayList<>();
        try {
            while (results.size() < reads.size()) {
                while (unsent.hasNext() && sent.size() - results.size() < AT_ONCE) {
                    sent.add(answers.submit(unsent.next()));
                }
                results.add(next(answers, deadlineNanos));
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreFailure failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("Reading rows was interrupted.", true, e);
        } finally {
            sent.forEach(read -> read.cancel(true));
        }
    }

    private static <T> T next(CompletionService<T> answers, long deadlineNanos)
            throws InterruptedException, ExecutionException {
        Future<T> answer = answers.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (answer == null) {
            throw new StoreFailure("Reading rows took longer than the time of the call.", true, null);
        }
        return answer.get();
    }
}
