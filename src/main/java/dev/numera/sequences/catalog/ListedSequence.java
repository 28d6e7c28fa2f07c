package dev.numera.sequences.catalog;

import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.definition.SequenceState;
import org.jspecify.annotations.Nullable;

/**
 * A sequence in a list, with the details that were requested.
 *
 * @param scope as stored in the index, like {@code name}; if the row cannot be read, they may not be valid names
 * @param definition null if it was not requested
 * @param state the state in the current period; null if it was not requested, or if the sequence has no counter
 * @param problem why the details cannot be shown; null if they can
 */
public record ListedSequence(
        String scope,
        String name,
        @Nullable Sequence definition,
        @Nullable SequenceState state,
        @Nullable ProblemException problem) {
    /** Returns an entry without details, as stored in the index. */
    static ListedSequence of(IndexEntry row) {
        return new ListedSequence(row.scope(), row.name(), null, null, row.problem());
    }
}
