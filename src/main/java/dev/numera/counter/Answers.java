package dev.numera.counter;

import java.util.List;

/**
 * What a call got: an answer for each of its requests, in their order, and what that cost.
 *
 * @param attempts how many attempts the call took part in; 0 where the ledger or a block held the answer
 * @param storageNanos how long storage was waited for, in nanoseconds
 */
public record Answers(List<Answer> answers, int attempts, long storageNanos) {
    /** Exactly one of the two is not null. */
    public record Answer(Outcome outcome, RuntimeException problem) {
        /** @throws RuntimeException the problem, if it is one */
        public Outcome orThrow() {
            if (problem != null) {
                throw problem;
            }
            return outcome;
        }
    }

    /** Whether a request got no answer because the definition is another one now. */
    public boolean isOutdated() {
        for (Answer answer : answers) {
            if (answer.outcome() instanceof Outcome.Outdated) {
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
