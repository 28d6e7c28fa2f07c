package dev.numera.core.model;

import dev.numera.core.problem.Result;
import java.util.List;

/**
 * The results of a call, one for each of its requests in the same order, with the attempts and the time that they took.
 *
 * @param <T> the result of a request: the {@link CounterOutcome} of a counter, or printed numbers
 * @param isNew whether the call created its sequence
 * @param attempts the number of attempts that the call took part in, including attempts that only read, or failed to
 *     read; 0 if the numbers came from a block in memory
 * @param storageNanos the time that the call waited for storage, in nanoseconds
 */
public record CallResult<T>(List<Result<T>> results, boolean isNew, int attempts, long storageNanos) {
    /** Creates the result of a call that did not create its sequence. */
    public CallResult(List<Result<T>> results, int attempts, long storageNanos) {
        this(results, false, attempts, storageNanos);
    }

    /** Whether a request was not processed because the definition has changed. */
    public boolean isOutdated() {
        for (Result<T> result : results) {
            if (result.problem() instanceof DefinitionChangedException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns this result if no request met a changed definition.
     *
     * @throws DefinitionChangedException the definition has changed; repeat the call with the present one
     */
    public CallResult<T> requireUpToDate() {
        if (isOutdated()) {
            throw new DefinitionChangedException();
        }
        return this;
    }

    /** Returns the outcome of a call with one request, or throws its problem. */
    public T only() {
        return results.get(0).orThrow();
    }
}
