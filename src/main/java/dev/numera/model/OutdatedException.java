package dev.numera.model;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;

/**
 * Nothing was done: the definition's fixed fields are not, or no longer, those that the counter was made for, so that
 * the present ones decide; or the counter is missing and has to be opened first, by {@link Request.Skip#opening}. It is
 * not shown to callers: the call is made again by the present definition.
 */
public final class OutdatedException extends ProblemException {
    private static final long serialVersionUID = 1L;

    public OutdatedException() {
        super(ProblemType.CONTENTION, "The definition was changed meanwhile. Try again.");
    }
}
