package dev.numera.core.counter;

import dev.numera.core.model.Sequence;
import dev.numera.core.problem.ProblemException;

/**
 * Where a counter gets the definition of its sequence. Calls may block for storage requests.
 *
 * <p>Decision: {@code docs/decisions/fixed-fields-are-read-with-the-definition.md}.
 */
public interface DefinitionSource {
    /** The definition, which may be as old as the instance keeps definitions. */
    Sequence current();

    /** The definition as it is in storage now: the counter has shown that the kept one may be out of date. */
    Sequence reloaded();

    /**
     * The definition with its version, for a write that marks it. The sequence's row in the index was read, or is
     * written before.
     *
     * @throws ProblemException {@code rolled-back} where the index has another definition
     */
    Sequence markable();

    /** This definition is in use now, by a write that was won. */
    void marked(Sequence written);
}
