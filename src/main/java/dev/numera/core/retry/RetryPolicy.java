package dev.numera.core.retry;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Retries storage requests other than a counter's own attempts: requests that failed temporarily, and conditional
 * writes that were lost to other writers. Immutable and thread-safe.
 */
public record RetryPolicy(Limits limits, Clock time, DoubleSupplier random) {
    /**
     * Runs one or several storage requests, and runs all of them again after a temporary failure. They must be safe to
     * repeat, whatever the result of the first run. Each storage request may take the time that is left until the
     * deadline.
     *
     * @throws StoreFailure the failure is permanent, or lasted until the deadline
     */
    public <T> T call(Deadline deadline, Supplier<T> request) {
        for (int attempt = 1; ; attempt++) {
            try {
                return deadline.limit(request);
            } catch (StoreFailure e) {
                if (!e.isWorthRetrying() || attempt >= limits.maxAttempts() || deadline.isOver()) {
                    throw e;
                }
                time.pause(limits.backoff().delay(attempt, random.getAsDouble()));
                if (deadline.isOver()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Attempts a conditional write until it wins. Retries at once after a loss, because the other writer has made
     * progress.
     *
     * @param what the written thing, with its article, as the start of a sentence: "The definition"
     * @param attempt reads, then writes; empty if the write was lost
     * @return the result of the attempt that won
     * @throws ProblemException {@code contention} if every attempt was lost, or any problem of an attempt
     */
    public static <T> T untilWon(Clock time, String what, int tries, Supplier<Optional<T>> attempt) {
        long startNanos = time.nanoTime();
        for (int i = 0; i < tries; i++) {
            Optional<T> won = attempt.get();
            if (won.isPresent()) {
                return won.get();
            }
        }
        throw new ProblemException(
                ProblemType.CONTENTION,
                what + " was changed by another writer during each of " + tries + " attempts. Try again.",
                Map.of(
                        "attempts",
                        tries,
                        "elapsedMillis",
                        Duration.ofNanos(time.nanoTime() - startNanos).toMillis()));
    }
}
