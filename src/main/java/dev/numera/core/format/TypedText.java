package dev.numera.core.format;

import dev.numera.core.problem.PrintableText;

/** Texts as people type them: with or without the blanks and the separators of groups. Pure functions. */
public final class TypedText {
    private TypedText() {}

    /** Returns a text without its blanks of any kind. */
    static String withoutBlanks(String text) {
        return text.chars().noneMatch(PrintableText::isBlank)
                ? text
                : text.chars()
                        .filter(character -> !PrintableText.isBlank(character))
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    /** Returns a text without its blanks of any kind, and without its hyphens. */
    static String withoutHyphens(String text) {
        return withoutBlanks(text).replace("-", "");
    }

    /**
     * Whether a person may have typed a printed text this way: in any case, without blanks and separators of groups.
     */
    public static boolean isLike(String printed, String typed) {
        return printed.equalsIgnoreCase(typed) || ungrouped(printed).equalsIgnoreCase(ungrouped(typed));
    }

    private static String ungrouped(String text) {
        String solid = withoutBlanks(text);
        StringBuilder ungrouped = new StringBuilder(solid.length());
        for (int i = 0; i < solid.length(); i++) {
            if (!isBetweenDigits(solid, i) || !Grouping.isSeparator(solid.charAt(i))) {
                ungrouped.append(solid.charAt(i));
            }
        }
        return ungrouped.toString();
    }

    private static boolean isBetweenDigits(String text, int at) {
        return at > 0
                && at + 1 < text.length()
                && ZeroPadded.isDigit(text.charAt(at - 1))
                && ZeroPadded.isDigit(text.charAt(at + 1));
    }
}
