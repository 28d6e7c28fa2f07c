package dev.numera.sequence;

import dev.numera.execution.Deadline;
import dev.numera.execution.Limits;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.Timekeeper;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Storage calls beside a counter's own attempts, tried again within the same limits where that is worth it. Only for
 * calls that may be repeated, whatever became of them the first time. Immutable and thread-safe.
 */
record Retries(Limits limits, Timekeeper time, DoubleSupplier random) {
    /**
     * What the call gives at last; blocks meanwhile, at most until the deadline and for one call more.
     *
     * @throws StoreFailure the call failed for a reason that stays, or until its time was over
     */
    <T> T call(Deadline deadline, Supplier<T> storageCall) {
        for (int attempt = 1; ; attempt++) {
            try {
                return storageCall.get();
            } catch (StoreFailure e) {
                if (!e.isWorthRetrying() || attempt >= limits.maxAttempts() || deadline.isOver()) {
                    throw e;
                }
                time.pause(limits.backoff().delay(attempt, random.getAsDouble()));
            }
        }
    }

    /** As the other, with a deadline of its own. */
    <T> T call(Supplier<T> storageCall) {
        return call(Deadline.in(limits.deadline(), time), storageCall);
    }
}
