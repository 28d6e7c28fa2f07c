package dev.numera.sequence;

import dev.numera.execution.CharacterBudget;
import dev.numera.model.Sequence;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The room in which the answer to a call is written, all of it or none.
 *
 * @param share null for answers that are not written with all their texts
 */
record AnswerRoom(CharacterBudget.@Nullable Share share) {
    static final AnswerRoom UNCOUNTED = new AnswerRoom(null);

    /**
     * For new numbers, before they are allocated.
     *
     * @throws ProblemException {@code overloaded}
     */
    void reserve(Sequence known, List<Take> takes) {
        if (share != null) {
            share.holdAtLeast(TextRoom.of(known, takes));
        }
    }

    /**
     * For numbers that were allocated before: their texts may be longer than those of new ones.
     *
     * @throws ProblemException {@code overloaded}
     */
    Numbers hold(Numbers numbers) {
        if (share != null) {
            share.holdAtLeast(numbers.characters());
        }
        return numbers;
    }
}
