package dev.numera.sequences.lists;

import dev.numera.core.format.DatePattern;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cells of a list in the notation that the caller stated. Guesses nothing: a cell in another notation is
 * refused. Immutable.
 *
 * @param isOfFile whether the cells come from a file that a spreadsheet may have changed; false for JSON, whose values
 *     are taken as they are
 * @param zone the time zone of the sequence when the list was sent, to convert instants to dates
 * @param reason the reason of void rows that state none; null if each must state its own
 */
public record CellNotation(
        boolean isOfFile,
        DatePattern dates,
        ZoneId zone,
        NumberNotation numbers,
        StatusMap statuses,
        @Nullable String reason) {
    /** The values of JSON, and of lists from earlier versions. */
    public static final CellNotation JSON =
            new CellNotation(false, DatePattern.ISO, ZoneOffset.UTC, NumberNotation.PLAIN, StatusMap.NONE, null);
    /** The cells of a file about whose notation the caller stated nothing. */
    public static final CellNotation FILE =
            new CellNotation(true, DatePattern.ISO, ZoneOffset.UTC, NumberNotation.PLAIN, StatusMap.NONE, null);

    private static final LocalDate EXAMPLE = LocalDate.of(2026, 11, 21);
    /**
     * A spreadsheet's error value, such as #N/A, #WERT!, #VALOR! or Err:502, or a number in a column that was too
     * narrow.
     */
    private static final Pattern ERROR_VALUE =
            Pattern.compile("#(?:[\\u00A1\\u00BF]?\\p{Lu}{2,20}(?:/0)?[!?]|N/[ABDV]|NV|#{1,255})|Err:\\d{3}");
    /** A day as a spreadsheet counts it, from 1927 to 2173, perhaps with a time. */
    private static final Pattern SERIAL_DATE = Pattern.compile("[1-9]\\d{4}(?:[.,]\\d{1,15})?");
    /** A number with many digits, as a spreadsheet shows it. */
    private static final Pattern SCIENTIFIC = Pattern.compile("\\d(?:[.,]\\d{1,15})?E\\+\\d{2,3}");

    /**
     * Refuses a key that a spreadsheet has replaced by an error value or a rounded number.
     *
     * @param field names the key in the problem
     * @throws ProblemException {@code invalid-request}
     */
    void requireKept(String field, String column, String key) {
        if (isOfFile && (SCIENTIFIC.matcher(key).matches() || isErrorValue(key))) {
            throw InvalidRequest.because(
                    field,
                    "is " + cell(column, key)
                            + ", because a spreadsheet changed this key: format the column as text, enter the key again"
                            + " and save the file");
        }
    }

    /**
     * Reads a date of the years 1 to 9999.
     *
     * @param field names the date in the problem
     * @throws ProblemException {@code invalid-request}
     */
    LocalDate date(String field, String column, String cell) {
        return isOfFile
                ? dates.read(CellText.stripped(cell), zone).orElseThrow(() -> noDate(field, column, cell))
                : FieldParsers.date(field, cell);
    }

    /** Whether a cell is a date in this notation. */
    public boolean isDate(String cell) {
        return dates.read(CellText.stripped(cell), zone).isPresent();
    }

    /** Returns a date in this notation, for a problem's message. */
    public String exampleOfDate() {
        return dates.write(EXAMPLE);
    }

    private ProblemException noDate(String field, String column, String cell) {
        String remedy;
        if (isErrorValue(cell)) {
            remedy = ", an error value of a spreadsheet: correct it";
        } else if (SERIAL_DATE.matcher(cell).matches()) {
            remedy = ", which is how a spreadsheet counts days: format the column as dates and save the file again";
        } else if (DateNotation.of(cell).isPresent()) {
            remedy = ", which is another notation: state it by dateFormat, such as dd.MM.yyyy";
        } else {
            remedy = "";
        }
        return InvalidRequest.because(
                field, "must be a date such as " + exampleOfDate() + ", but is " + cell(column, cell) + remedy);
    }

    private static boolean isErrorValue(String cell) {
        return ERROR_VALUE.matcher(cell).matches();
    }

    /**
     * Reads a whole number within 4*10^18 either way.
     *
     * @throws ProblemException {@code invalid-request}
     */
    long number(String column, String cell) {
        return isOfFile
                ? numbers.read(CellText.stripped(cell)).orElseThrow(() -> noNumber(column, cell))
                : FieldParsers.wholeNumber("number", cell);
    }

    private ProblemException noNumber(String column, String cell) {
        return InvalidRequest.because(
                "number",
                "must be a whole number within 4*10^18 either way" + numbers.expectation() + ", but is "
                        + cell(column, cell)
                        + (numbers.equals(NumberNotation.PLAIN)
                                ? ": state other characters than digits by grouping and decimal"
                                : ""));
    }

    /**
     * Reads the status that a cell states. An empty cell means issued.
     *
     * @throws ProblemException {@code invalid-request}
     */
    Status.Kind status(String column, String cell) {
        if (cell.isBlank() && (isOfFile || cell.isEmpty())) {
            return Status.Kind.ISSUED;
        }
        return isOfFile
                ? statuses.kindOf(cell)
                        .orElseThrow(() -> InvalidRequest.because(
                                "status",
                                "must be issued, reserved or void, or a word of statusMap, but is "
                                        + cell(column, cell)))
                : EnumWord.find(cell, Status.Kind.class)
                        .orElseThrow(() -> InvalidRequest.because("status", "must be issued, reserved or void"));
    }

    private static String cell(String column, String cell) {
        return "'" + Excerpt.of(cell) + "' in the column '" + Excerpt.of(column) + "'";
    }
}
