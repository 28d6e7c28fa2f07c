package dev.numera.sequence;

import dev.numera.counter.CounterLimits;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Timekeeper;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Storage calls beside a counter's own attempts, tried again within the same limits where that is worth it. Only for calls that may be
 * repeated, whatever became of them the first time. Immutable and thread-safe.
 */
record Retries(CounterLimits limits, Timekeeper time, DoubleSupplier random) {
    /**
     * What the call gives at last; blocks meanwhile, at most for the deadline and one call more.
     *
     * @throws ProblemException {@code storage-unavailable}: the call failed for a reason that stays, or until its time was over
     */
    <T> T call(Supplier<T> storageCall) {
        long deadlineNanos = time.nanoTime() + limits.deadline().toNanos();
        for (int attempt = 1; ; attempt++) {
            try {
                return storageCall.get();
            } catch (StoreFailure e) {
                if (!e.isWorthRetrying() || attempt >= limits.maxAttempts() || time.nanoTime() - deadlineNanos >= 0) {
                    throw unavailable(e);
                }
                pause(attempt, e);
            }
        }
    }

    private void pause(int attempt, StoreFailure failure) {
        try {
            time.sleep(limits.backoff().delay(attempt, random.getAsDouble()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(failure);
        }
    }

    private static ProblemException unavailable(StoreFailure failure) {
        return new ProblemException(ProblemType.STORAGE_UNAVAILABLE, failure.getMessage());
    }
}
