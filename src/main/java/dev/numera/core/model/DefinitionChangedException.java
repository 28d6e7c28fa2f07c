package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;

/**
 * Nothing was done: the definition's fixed fields are not, or no longer, those that the counter was made for, so that
 * the present ones decide; or the counter is missing and has to be opened first, by
 * {@link CounterRequest.Skip#opening}. It is not shown to callers: the call is made again by the present definition.
 */
public final class DefinitionChangedException extends ProblemException {
    private static final long serialVersionUID = 1L;

    public DefinitionChangedException() {
        super(ProblemType.CONTENTION, "The definition was changed meanwhile. Try again.");
    }
}
