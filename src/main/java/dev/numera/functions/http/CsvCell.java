package dev.numera.functions.http;

import java.util.regex.Pattern;

/** Protects texts in CSV from being run as formulas by a spreadsheet. */
public final class CsvCell {
    /**
     * Characters that start a formula. With Chinese and Japanese settings, spreadsheets also accept the full-width
     * forms.
     */
    private static final String BEGIN_OF_FORMULA = "=+-@\uFF1D\uFF0B\uFF0D\uFF20";
    /** White space that some programs remove from the start of a cell, which can expose a formula. */
    private static final String CUT_OFF = "\t\r\n";
    /**
     * Characters that some spreadsheet treats as a separator, depending on its settings. Quotes do not protect the part
     * after one: a program that splits the row at another separator sees no quote at the start of that part.
     */
    private static final String SEPARATORS = ",;\t\r\n";
    /** A number with a sign. It is no formula, and the spreadsheet should read it as a number. */
    private static final Pattern NUMBER = Pattern.compile("[+-]\\d++(?:[.,]\\d++)?+");

    private CsvCell() {}

    /**
     * Returns the text with an apostrophe before each part that a spreadsheet could run as a formula: at the start, and
     * after each character that some spreadsheet treats as a separator. A part that already starts with apostrophes
     * gets one more, so that {@link #meant} can undo the change. A harmless text stays unchanged.
     */
    public static String harmless(String text) {
        return text.isEmpty() || NUMBER.matcher(text).matches() ? text : withApostrophes(text, 1);
    }

    /** Returns the original text of a cell that {@link #harmless} wrote. */
    public static String meant(String cell) {
        return cell.indexOf('\'') < 0 ? cell : withApostrophes(cell, -1);
    }

    /**
     * Adds or removes apostrophes before each dangerous part.
     *
     * @param more 1 to add an apostrophe; -1 to remove one if the part has any
     */
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
