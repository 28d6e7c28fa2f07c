package dev.numera.functions.http.lists;

import dev.numera.sequences.lists.Uploads;

/** Removes the empty lines that editors and spreadsheets leave at the end of a list. */
final class EmptyTail {
    private EmptyTail() {}

    /**
     * Returns a text without the empty lines at its end. The first line stays. A line break in quotes stays as well,
     * because a closing quote follows it.
     *
     * @param separator of columns; a line with only separators counts as empty. A line break for lists without columns
     */
    static String removed(String text, char separator) {
        int end = text.length();
        for (int start = startOfLine(text, end); start > 0 && isEmpty(text, start, end, separator); ) {
            end = start;
            start = startOfLine(text, end);
        }
        return text.substring(0, end);
    }

    /** Returns the start of the line that ends, with its line break, at {@code end}. */
    private static int startOfLine(String text, int end) {
        int at = end;
        if (at > 0 && text.charAt(at - 1) == '\n') {
            at--;
        }
        if (at > 0 && text.charAt(at - 1) == '\r') {
            at--;
        }
        while (at > 0 && text.charAt(at - 1) != '\n' && text.charAt(at - 1) != '\r') {
            at--;
        }
        return at;
    }

    /**
     * Whether a line is empty. A line longer than a row may be does not count as empty, so that it is refused later.
     */
    private static boolean isEmpty(String text, int start, int end, char separator) {
        return end - start <= Uploads.MAX_ROW_UNITS
                && text.substring(start, end)
                        .chars()
                        .allMatch(unit -> unit == separator || Character.isWhitespace(unit));
    }
}
