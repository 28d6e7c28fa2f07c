package dev.numera.functions.batch;

import dev.numera.counter.CharacterBudget;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Locale;

/** The room that an upload takes while it is read: cells and rows take more than their characters. */
final class UploadRoom {
    private static final int CHARACTERS_PER_CELL = 8;
    private static final int CHARACTERS_PER_ROW = 32;

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

    /** Of CSV, JSON or lines: no cell and no row is without one of these characters, but the last. */
    static long of(String body) {
        long characters = (long) body.length() + CHARACTERS_PER_CELL + CHARACTERS_PER_ROW;
        for (int at = 0; at < body.length(); at++) {
            switch (body.charAt(at)) {
                case ',', ';', '\t' -> characters += CHARACTERS_PER_CELL;
                case '\n', '\r' -> characters += CHARACTERS_PER_ROW;
                default -> {
                    // Counted by the length.
                }
            }
        }
        return characters;
    }
}
