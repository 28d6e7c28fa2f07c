package dev.numera.sequence;

import dev.numera.problem.Answer;
import java.util.List;

/**
 * What a call for numbers got: an answer for each request, in their order, and what that cost.
 *
 * @param isNew whether this call created the sequence
 * @param attempts how many conditional writes it took part in; 0 where the ledger or a block held the answers
 * @param storageNanos how long storage was waited for, in nanoseconds
 */
public record Numbered(List<Answer<Numbers>> answers, boolean isNew, int attempts, long storageNanos) {
    boolean hasProblem() {
        for (Answer<Numbers> answer : answers) {
            if (answer.isRefused()) {
                return true;
            }
        }
        return false;
    }

    /** How many numbers the answers hold. */
    long count() {
        long count = 0;
        for (Answer<Numbers> answer : answers) {
            count += answer.value() == null ? 0 : answer.value().count();
        }
        return count;
    }
}
