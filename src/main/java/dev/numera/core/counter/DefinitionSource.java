package dev.numera.core.counter;

import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;

/**
 * Provides a counter with the definition of its sequence. Calls may block for storage requests.
 *
 * <p>Decision: {@code docs/decisions/fixed-fields-are-read-with-the-definition.md}.
 */
public interface DefinitionSource {
    /** Returns the definition, which may be as old as the instance's cache of definitions allows. */
    Sequence current();

    /** Reads the definition from storage, because the counter has shown that the cached one may be out of date. */
    Sequence reloaded();

    /**
     * Returns the definition with its version, for a write that marks it as in use. Before that, reads the sequence's
     * row in the index, or writes it.
     *
     * @throws ProblemException {@code rolled-back} if the index has another definition
     */
    Sequence markable();

    /** Records that a won write has marked this definition as in use. */
    void marked(Sequence written);
}
