package dev.numera.functions;

import java.util.regex.Pattern;

/** Texts in CSV that people open in a spreadsheet. */
public final class CsvCell {
    /** What a formula may begin with, in Chinese and Japanese settings in full width too. */
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
     * and after what some spreadsheet takes for a separator. A harmless text stays as it is.
     */
    public static String harmless(String text) {
        if (text.isEmpty() || NUMBER.matcher(text).matches()) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 1);
        boolean isStart = true;
        if (CUT_OFF.indexOf(text.charAt(0)) >= 0) {
            safe.append('\'');
        }
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (isStart && BEGIN_OF_FORMULA.indexOf(unit) >= 0) {
                safe.append('\'');
            }
            safe.append(unit);
            isStart = SEPARATORS.indexOf(unit) >= 0 || isStart && unit == '"';
        }
        return safe.toString();
    }
}
