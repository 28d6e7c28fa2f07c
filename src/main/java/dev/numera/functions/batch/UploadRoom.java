package dev.numera.functions.batch;

import dev.numera.execution.CharacterBudget;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Locale;

/** The room that an upload takes while it is read: cells and rows take more than their characters. */
final class UploadRoom {
    private static final int CHARACTERS_PER_CELL = 8;
    private static final int CHARACTERS_PER_ROW = 32;
    /** A string of no other bits takes one byte for each character. */
    private static final int LATIN_BITS = 0xFF;

    private UploadRoom() {}

    /**
     * Holds what a body takes, before it is parsed.
     *
     * @throws ProblemException {@code too-large} for more than this instance ever has room for; {@code overloaded}
     */
    static void hold(String body, CharacterBudget.Share share) {
        long characters = of(body);
        if (!share.canEverHold(characters)) {
            throw new ProblemException(
                    ProblemType.TOO_LARGE,
                    String.format(
                            Locale.ROOT,
                            "The list takes room for %,d characters, cells and rows included, which is more than this"
                                    + " instance has. Leave out columns that are not needed, or send the list in several"
                                    + " uploads.",
                            characters));
        }
        share.hold(characters);
    }

    /**
     * Of CSV, JSON or lines: no cell and no row is without one of these characters, but the last. Text in Latin script
     * takes half as much for each character.
     */
    static long of(String body) {
        long others = CHARACTERS_PER_CELL + CHARACTERS_PER_ROW;
        int bits = 0;
        for (int at = 0; at < body.length(); at++) {
            char unit = body.charAt(at);
            bits |= unit;
            switch (unit) {
                case ',', ';', '\t' -> others += CHARACTERS_PER_CELL;
                case '\n', '\r' -> others += CHARACTERS_PER_ROW;
                default -> {
                    // Counted by the length.
                }
            }
        }
        return others + (bits <= LATIN_BITS ? body.length() / 2 : body.length());
    }
}
