package dev.numera.sequence;

import dev.numera.execution.CharacterBudget;
import dev.numera.model.Sequence;
import dev.numera.model.Status;
import dev.numera.model.Take;
import dev.numera.problem.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The room in which the answer to a call is written, all of it or none: how many characters allocations take.
 *
 * @param share null for answers that are not written with all their texts
 */
record AnswerRoom(CharacterBudget.@Nullable Share share) {
    static final AnswerRoom UNCOUNTED = new AnswerRoom(null);

    /** Of each text: quotes, a comma, and the objects that hold it while the answer is written. */
    private static final int BESIDE_A_TEXT = 8;
    /** All fields of an allocation but its key, reason and texts. */
    private static final int OTHER_FIELDS = 400;

    /**
     * For new numbers, before they are allocated.
     *
     * @throws ProblemException {@code overloaded}
     */
    void reserve(Sequence known, List<Take> takes) {
        if (share != null) {
            share.holdAtLeast(characters(known, takes));
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

    /** The most characters that an answer with these texts has. */
    static long characters(@Nullable String key, @Nullable List<String> texts, Status status, @Nullable String actor) {
        long fields = (long) OTHER_FIELDS
                + length(key)
                + length(status.reason())
                + length(actor)
                + status.history().stream()
                        .mapToLong(each -> OTHER_FIELDS + 2L * length(each.actor()))
                        .sum();
        int count = texts == null ? 0 : texts.size();
        return fields + (long) count * (longest(texts) + BESIDE_A_TEXT);
    }

    /** The most characters that an answer to requests for new numbers has. */
    private static long characters(Sequence known, List<Take> takes) {
        int longest = known.longestText().length();
        return takes.stream()
                .mapToLong(take -> OTHER_FIELDS
                        + length(take.key())
                        + 2L * length(take.actor())
                        + (long) take.count() * (longest + BESIDE_A_TEXT))
                .sum();
    }

    /** The length of the longest text of one allocation: the first or the last; 0 without texts. */
    static int longest(@Nullable List<String> texts) {
        return texts == null || texts.isEmpty()
                ? 0
                : Math.max(texts.get(0).length(), texts.get(texts.size() - 1).length());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
