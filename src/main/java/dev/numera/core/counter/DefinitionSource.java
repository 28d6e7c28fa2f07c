package dev.numera.core.counter;

import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;

/**
 * The source of a sequence's definition for its counters. Calls may block for storage requests.
 *
 * <p>Decision: {@code docs/decisions/fixed-fields-are-read-with-the-definition.md}.
 */
public interface DefinitionSource {
    /** Returns the definition, at most as old as the instance may cache definitions. */
    Sequence current();

    /**
     * Reads the definition from storage. Call this when the counter shows that the cached definition may be out of
     * date.
     */
    Sequence reloaded();

    /**
     * Returns the definition with its version, for a write that marks it as in use. Makes sure that the index row of
     * the sequence exists.
     *
     * @throws ProblemException {@code rolled-back} if the index has another definition
     */
    Sequence markable();

    /** Records that a won write has marked this definition as in use. */
    void marked(Sequence written);
}
