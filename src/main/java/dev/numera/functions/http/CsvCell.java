package dev.numera.functions.http;

import java.util.regex.Pattern;

/** Texts in CSV that people open in a spreadsheet. */
public final class CsvCell {
    /**
     * Characters that start a formula. With Chinese and Japanese settings, spreadsheets also accept the full-width
     * forms.
     */
    private static final String BEGIN_OF_FORMULA = "=+-@\uFF1D\uFF0B\uFF0D\uFF20";
    /** Blanks that some programs cut off before a formula. */
    private static final String CUT_OFF = "\t\r\n";
    /**
     * What separates cells, in whatever setting the spreadsheet has. Quotes do not protect what follows: the program
     * that splits a row at another separator does not see them at the start of a cell.
     */
    private static final String SEPARATORS = ",;\t\r\n";
    /** No formula, whatever it begins with, and still wanted as a number. */
    private static final Pattern NUMBER = Pattern.compile("[+-]\\d++(?:[.,]\\d++)?+");

    private CsvCell() {}

    /**
     * The text, with an apostrophe before each part of it that a spreadsheet would take for a formula: at the start,
     * and after what some spreadsheet takes for a separator. Where the text has apostrophes there already, it gets one
     * more, so that {@link #meant} can tell them apart. A harmless text stays as it is.
     */
    public static String harmless(String text) {
        return text.isEmpty() || NUMBER.matcher(text).matches() ? text : withApostrophes(text, 1);
    }

    /** Returns the original text of a cell that {@link #harmless} wrote. */
    public static String meant(String cell) {
        return cell.indexOf('\'') < 0 ? cell : withApostrophes(cell, -1);
    }

    /** @param more how many apostrophes more each dangerous part gets; -1 takes one away where there is one */
    private static String withApostrophes(String text, int more) {
        StringBuilder changed = new StringBuilder(text.length() + 1);
        int at = 0;
        boolean isStart = true;
        while (at < text.length()) {
            if (isStart) {
                int quotesEnd = endOfRun(text, at, '"');
                int apostrophesEnd = endOfRun(text, quotesEnd, '\'');
                boolean isDangerous = isOneOf(BEGIN_OF_FORMULA, text, apostrophesEnd)
                        || quotesEnd == 0 && isOneOf(CUT_OFF, text, apostrophesEnd);
                int apostrophes = apostrophesEnd - quotesEnd;
                changed.append(text, at, quotesEnd)
                        .append("'".repeat(isDangerous ? Math.max(0, apostrophes + more) : apostrophes));
                at = apostrophesEnd;
                isStart = false;
            } else {
                isStart = isOneOf(SEPARATORS, text, at);
                changed.append(text.charAt(at));
                at++;
            }
        }
        return changed.toString();
    }

    private static int endOfRun(String text, int from, char unit) {
        int end = from;
        while (end < text.length() && text.charAt(end) == unit) {
            end++;
        }
        return end;
    }

    private static boolean isOneOf(String units, String text, int at) {
        return at < text.length() && units.indexOf(text.charAt(at)) >= 0;
    }
}
