package dev.numera.core.problem;

/** The beginning of what a caller sent, for a problem or a log: whole it may be as long as a request. */
public final class Excerpt {
    private static final int MAX_UNITS = 40;

    private Excerpt() {}

    /** At most the first {@value #MAX_UNITS} UTF-16 units, and dots where there are more. */
    public static String of(String text) {
        return of(text, MAX_UNITS);
    }

    /** As the other, for a text whose beginning alone says little. */
    public static String of(String text, int maxUnits) {
        if (text.length() <= maxUnits) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxUnits - 1)) ? maxUnits - 1 : maxUnits;
        return text.substring(0, end) + "...";
    }
}
