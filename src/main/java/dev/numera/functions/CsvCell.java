package dev.numera.functions;

import java.util.regex.Pattern;

/** Texts in CSV that people open in a spreadsheet. */
public final class CsvCell {
    /** A formula, in Chinese and Japanese settings in full width too. */
    private static final String BEFORE_FORMULA = "(?=[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20])";
    /**
     * What separates cells, in whatever setting the spreadsheet has. Quotes do not protect what follows: the program
     * that splits a row at another separator does not see them at the start of a cell.
     */
    private static final String START = "(^|[,;\t\r\n])(\"*)";
    /** Blanks that some programs cut off before a formula. */
    private static final String BEFORE_CUT_OFF = "(?=[\t\r\n])";

    private static final Pattern FORMULA = Pattern.compile(START + "('*)" + BEFORE_FORMULA);
    private static final Pattern CUT_OFF = Pattern.compile("^('*)" + BEFORE_CUT_OFF);
    private static final Pattern HARMLESS_FORMULA = Pattern.compile(START + "'('*)" + BEFORE_FORMULA);
    private static final Pattern HARMLESS_CUT_OFF = Pattern.compile("^'('*)" + BEFORE_CUT_OFF);
    /** No formula, whatever it begins with, and still wanted as a number. */
    private static final Pattern NUMBER = Pattern.compile("[+-]\\d++(?:[.,]\\d++)?+");

    private CsvCell() {}

    /**
     * The text, with an apostrophe before each part of it that a spreadsheet would take for a formula: at the start,
     * and after what some spreadsheet takes for a separator. Where the text has apostrophes there already, it gets one
     * more, so that {@link #meant} can tell them apart. A harmless text stays as it is.
     */
    public static String harmless(String text) {
        if (text.isEmpty() || NUMBER.matcher(text).matches()) {
            return text;
        }
        String cell = FORMULA.matcher(text).replaceAll("$1$2$3'");
        return CUT_OFF.matcher(cell).replaceFirst("$1'");
    }

    /** The text of which {@link #harmless} made a cell. */
    public static String meant(String cell) {
        if (cell.indexOf('\'') < 0) {
            return cell;
        }
        String text = HARMLESS_FORMULA.matcher(cell).replaceAll("$1$2$3");
        return HARMLESS_CUT_OFF.matcher(text).replaceFirst("$1");
    }
}
