package dev.numera.model;

import dev.numera.problem.Answer;
import java.util.List;

/**
 * What a call got: an answer for each of its requests, in their order, and what that cost.
 *
 * @param <T> what a request gets: an {@link Outcome} of a counter, or printed numbers
 * @param isNew whether the call created its sequence
 * @param attempts how many attempts the call took part in, those included that only read or failed to; 0 where a block
 *     held the answers
 * @param storageNanos how long storage was waited for, in nanoseconds
 */
public record Answers<T>(List<Answer<T>> answers, boolean isNew, int attempts, long storageNanos) {
    /** Of a call that creates nothing. */
    public Answers(List<Answer<T>> answers, int attempts, long storageNanos) {
        this(answers, false, attempts, storageNanos);
    }

    /** Whether a request got no answer because the definition is another one now. */
    public boolean isOutdated() {
        return answers.stream().anyMatch(answer -> answer.problem() instanceof OutdatedException);
    }

    /** @throws OutdatedException the definition is another one now, and nothing was done */
    public Answers<T> requireUpToDate() {
        if (isOutdated()) {
            throw new OutdatedException();
        }
        return this;
    }

    /** The answer of a call with one request. */
    public T only() {
        return answers.get(0).orThrow();
    }
}
