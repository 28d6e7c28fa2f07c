package dev.numera.batch;

import dev.numera.problem.Answer;
import dev.numera.sequence.Numbers;

/**
 * An entry of a list with its answer.
 *
 * @param requested a request, or a row of strings
 */
public record Answered<T>(T requested, Answer<Numbers> answer) {
    public boolean isRefused() {
        return answer.isRefused();
    }
}
