package dev.numera.functions.http.lists;

import dev.numera.sequences.lists.Uploads;

/** The empty lines at the end of a list, which editors and spreadsheets leave there. */
final class EmptyTail {
    private EmptyTail() {}

    /**
     * A text without them. Its first line stays, and whatever is in quotes: that ends with a quote.
     *
     * @param separator of columns, which may all be empty; a line break where there are none
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

    /** A line that is too long for a row is none of these, so that it is refused. */
    private static boolean isEmpty(String text, int start, int end, char separator) {
        return end - start <= Uploads.MAX_ROW_UNITS
                && text.substring(start, end)
                        .chars()
                        .allMatch(unit -> unit == separator || Character.isWhitespace(unit));
    }
}
