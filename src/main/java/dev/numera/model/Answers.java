package dev.numera.model;

import dev.numera.problem.Answer;
import java.util.List;

/**
 * What a call got: an answer for each of its requests, in their order, and what that cost.
 *
 * @param attempts how many attempts the call took part in; 0 where the ledger or a block held the answer
 * @param storageNanos how long storage was waited for, in nanoseconds
 */
public record Answers(List<Answer<Outcome>> answers, int attempts, long storageNanos) {
    /** Whether a request got no answer because the definition is another one now. */
    public boolean isOutdated() {
        for (Answer<Outcome> answer : answers) {
            if (answer.value() instanceof Outcome.Outdated) {
                return true;
            }
        }
        return false;
    }

    /** The answer of a call with one request. */
    public Outcome only() {
        return answers.get(0).orThrow();
    }
}
