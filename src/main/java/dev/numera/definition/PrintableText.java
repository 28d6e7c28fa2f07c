package dev.numera.definition;

import java.util.Optional;

/** Texts that callers choose and others read: printable, in any script, without a blank at either end. */
public final class PrintableText {
    private PrintableText() {}

    /**
     * What is wrong with a text, to be read on after the field's name.
     *
     * @param maxUnits how many UTF-16 units it has at most
     */
    public static Optional<String> flaw(String text, int maxUnits) {
        if (text.isEmpty() || text.length() > maxUnits) {
            return Optional.of("must have 1 to " + maxUnits + " characters");
        }
        if (isBlank(text.codePointAt(0)) || isBlank(text.codePointBefore(text.length()))) {
            return Optional.of("must not begin or end with a blank");
        }
        return text.codePoints().allMatch(PrintableText::isPrintable)
                ? Optional.empty()
                : Optional.of(
                        "must have printable characters only: no control characters, no half of a surrogate pair");
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
