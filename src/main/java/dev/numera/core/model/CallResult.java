package dev.numera.core.model;

import dev.numera.core.problem.Result;
import java.util.List;

/**
 * What a call got: an answer for each of its requests, in their order, and what that cost.
 *
 * @param <T> what a request gets: an {@link CounterOutcome} of a counter, or printed numbers
 * @param isNew whether the call created its sequence
 * @param attempts how many attempts the call took part in, those included that only read or failed to; 0 where a block
 *     held the answers
 * @param storageNanos how long storage was waited for, in nanoseconds
 */
public record CallResult<T>(List<Result<T>> results, boolean isNew, int attempts, long storageNanos) {
    /** Of a call that creates nothing. */
    public CallResult(List<Result<T>> results, int attempts, long storageNanos) {
        this(results, false, attempts, storageNanos);
    }

    /** Whether a request got no answer because the definition is another one now. */
    public boolean isOutdated() {
        return results.stream().anyMatch(result -> result.problem() instanceof DefinitionChangedException);
    }

    /** @throws DefinitionChangedException the definition is another one now, and nothing was done */
    public CallResult<T> requireUpToDate() {
        if (isOutdated()) {
            throw new DefinitionChangedException();
        }
        return this;
    }

    /** The answer of a call with one request. */
    public T only() {
        return results.get(0).orThrow();
    }
}
