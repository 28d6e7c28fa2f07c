package dev.numera.core.model;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;

/**
 * Signals that a counter processed nothing, because its caller uses an outdated definition: the fixed fields have
 * changed. Also thrown if the counter is missing and must first be opened with {@link CounterRequest.Skip#opening}.
 * Clients never receive this problem, because the call is repeated with the present definition.
 */
public final class DefinitionChangedException extends ProblemException {
    private static final long serialVersionUID = 1L;

    public DefinitionChangedException() {
        super(ProblemType.CONTENTION, "The definition was changed meanwhile. Try again.");
    }
}
