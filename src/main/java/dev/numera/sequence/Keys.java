package dev.numera.sequence;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;

/** What may be a key: 1 to 255 printable UTF-16 units in any script, without a blank at either end. */
public final class Keys {
    private Keys() {}

    /** @throws ProblemException {@code invalid-request} for that field */
    public static void require(String field, String key) {
        if (key.isEmpty() || key.length() > Ask.MAX_KEY_UNITS) {
            throw InvalidRequest.because(field, "must have 1 to " + Ask.MAX_KEY_UNITS + " characters");
        }
        if (isBlank(key.codePointAt(0)) || isBlank(key.codePointBefore(key.length()))) {
            throw InvalidRequest.because(field, "must not begin or end with a blank");
        }
        if (!key.codePoints().allMatch(Keys::isPrintable)) {
            throw InvalidRequest.because(
                    field, "must have printable characters only: no control characters, no half of a surrogate pair");
        }
    }

    private static boolean isBlank(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> true;
        };
    }
}
