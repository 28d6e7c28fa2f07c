package dev.numera.sequences.catalog;

import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.definition.SequenceState;
import org.jspecify.annotations.Nullable;

/**
 * A sequence in a list, with the details that were requested.
 *
 * @param scope as the index has it, as the name: where a row cannot be read they may be the names of no sequence
 * @param definition null where it was not requested
 * @param state of the present period; null where it was not requested, or there is no counter
 * @param problem why neither can be shown; null where there is none
 */
public record ListedSequence(
        String scope,
        String name,
        @Nullable Sequence definition,
        @Nullable SequenceState state,
        @Nullable ProblemException problem) {
    /** Without details, as the index has it. */
    static ListedSequence of(IndexEntry row) {
        return new ListedSequence(row.scope(), row.name(), null, null, row.problem());
    }
}
