package dev.numera.sequence;

import dev.numera.definition.PrintableText;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;

/** What may be a key: 1 to 255 printable UTF-16 units in any script, without a blank at either end. */
public final class Keys {
    private Keys() {}

    /** @throws ProblemException {@code invalid-request} for that field */
    public static void require(String field, String key) {
        PrintableText.flaw(key, Ask.MAX_KEY_UNITS).ifPresent(flaw -> {
            throw InvalidRequest.because(field, flaw);
        });
    }
}
