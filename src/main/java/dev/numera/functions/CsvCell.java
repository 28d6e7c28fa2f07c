package dev.numera.functions;

import java.util.regex.Pattern;

/** Texts in CSV that people open in a spreadsheet. */
public final class CsvCell {
    /**
     * What a formula may begin with, in Chinese and Japanese settings in full width too, and blanks that some programs
     * cut off before one.
     */
    private static final String BEGIN_OF_FORMULA = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";
    /** No formula, whatever it begins with, and still wanted as a number. */
    private static final Pattern NUMBER = Pattern.compile("[+-]\\d++(?:[.,]\\d++)?+");

    private CsvCell() {}

    /** The text; with an apostrophe before it if a spreadsheet would take it for a formula. */
    public static String harmless(String text) {
        boolean isFormula = !text.isEmpty()
                && BEGIN_OF_FORMULA.indexOf(text.charAt(0)) >= 0
                && !NUMBER.matcher(text).matches();
        return isFormula ? "'" + text : text;
    }
}
