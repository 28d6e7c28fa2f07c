package dev.numera.batch;

import dev.numera.problem.Answer;
import dev.numera.sequence.Numbers;

/**
 * An entry of a list with its answer.
 *
 * @param requested a request, or a row of strings
 * @param line of the row in what was sent, from 1; 0 where it is not known, or there is none
 * @param equalLine of an earlier row that is equal to this one; 0 where there is none
 */
public record Answered<T>(T requested, Answer<Numbers> answer, int line, int equalLine) {
    public Answered(T requested, Answer<Numbers> answer) {
        this(requested, answer, 0, 0);
    }

    public boolean isRefused() {
        return answer.isRefused();
    }
}
