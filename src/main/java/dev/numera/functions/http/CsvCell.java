package dev.numera.functions.http;

import java.util.regex.Pattern;

/** Protects texts in CSV from being run as formulas, or converted into other values, by a spreadsheet. */
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

    private static final char APOSTROPHE = '\'';
    private static final char QUOTE = '"';

    private CsvCell() {}

    /**
     * Returns the text with an apostrophe before each part that a spreadsheet could run as a formula: at the start, and
     * after each character that some spreadsheet treats as a separator. A part that already starts with apostrophes
     * gets one more, so that {@link #meant} can undo the change. A harmless text stays unchanged, except one that
     * {@link #meant} would take for a cell of {@link #preserved}, such as {@code '0047}: it gets one more, too.
     */
    public static String harmless(String text) {
        if (isPlain(text) || NUMBER.matcher(text).matches()) {
            return text;
        }
        String harmless = withApostrophes(text, 1);
        return text.charAt(0) == APOSTROPHE && isConverted(text) ? APOSTROPHE + harmless : harmless;
    }

    /**
     * Like {@link #harmless}, and with an apostrophe before a text that a spreadsheet would convert, such as
     * {@code 0047} or {@code 1-2}: spreadsheets then keep the cell as it is.
     */
    public static String preserved(String text) {
        if (SpreadsheetConversion.isStable(text)) {
            return text;
        }
        String harmless = withApostrophes(text, 1);
        return isConverted(text) ? APOSTROPHE + harmless : harmless;
    }

    /** Whether the text is one part that starts with a letter or a digit, as most texts do; then it is harmless. */
    private static boolean isPlain(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (isOneOf(SEPARATORS, text, at)) {
                return false;
            }
        }
        return text.isEmpty() || Character.isLetterOrDigit(text.charAt(0));
    }

    /** Returns the original text of a cell that {@link #harmless} or {@link #preserved} wrote. */
    public static String meant(String cell) {
        if (cell.indexOf(APOSTROPHE) < 0) {
            return cell;
        }
        String meant = withApostrophes(cell, -1);
        return meant.charAt(0) == APOSTROPHE && isConverted(meant) ? meant.substring(1) : meant;
    }

    /** Whether a spreadsheet would convert the text without its first apostrophes. A formula is not converted. */
    private static boolean isConverted(String text) {
        int start = endOfRun(text, 0, APOSTROPHE);
        return !isDangerous(text, 0) && SpreadsheetConversion.changes(text.substring(start));
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
                int quotesEnd = endOfRun(text, at, QUOTE);
                int apostrophesEnd = endOfRun(text, quotesEnd, APOSTROPHE);
                boolean isDangerous = isDangerous(text, at);
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

    /** Whether a spreadsheet could run the part at this place as a formula, after any quotes and apostrophes. */
    private static boolean isDangerous(String text, int at) {
        int quotesEnd = endOfRun(text, at, QUOTE);
        int start = endOfRun(text, quotesEnd, APOSTROPHE);
        return isOneOf(BEGIN_OF_FORMULA, text, start) || quotesEnd == 0 && isOneOf(CUT_OFF, text, start);
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
