package dev.numera.core.problem;

/** Shortens a string from a caller for a problem or a log, because the string may be as long as a whole request. */
public final class Excerpt {
    private static final int MAX_UNITS = 40;

    private Excerpt() {}

    /** Returns the string, cut after {@value #MAX_UNITS} UTF-16 units and then marked with dots. */
    public static String of(String text) {
        return of(text, MAX_UNITS);
    }

    /** Like {@link #of(String)}, with another maximum length, for strings that need a longer excerpt. */
    public static String of(String text, int maxUnits) {
        if (text.length() <= maxUnits) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxUnits - 1)) ? maxUnits - 1 : maxUnits;
        return text.substring(0, end) + "...";
    }
}
