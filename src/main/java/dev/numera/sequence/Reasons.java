package dev.numera.sequence;

import dev.numera.definition.PrintableText;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;

/** Why somebody did something, in his own words. */
public final class Reasons {
    static final int MAX_UNITS = 200;

    private Reasons() {}

    /** @throws ProblemException {@code invalid-request} unless it has 1 to {@value #MAX_UNITS} printable characters */
    public static void require(String reason) {
        PrintableText.flaw(reason, MAX_UNITS).ifPresent(flaw -> {
            throw InvalidRequest.because("reason", flaw);
        });
    }
}
