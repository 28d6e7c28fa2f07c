package dev.numera.sequences.lists;

import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a list's columns, to convert a row to a request. A row is a list of strings, one for each column; an
 * empty string is no value.
 *
 * @param columns the names of the columns
 * @param places the index of each column that has a meaning; always includes {@link Field#KEY}
 * @param date the date of rows without a date; null for the day of the upload
 * @param count how many numbers each row requests; 0 for a dry run of an import. Versions without dry runs refuse to
 *     read a count of 0, so they never import such a list
 * @param isReserved whether the numbers are reserved
 * @param separator the character between the columns in CSV
 * @param notation how the cells are written
 */
public record ListColumns(
        List<String> columns,
        Map<Field, Integer> places,
        @Nullable LocalDate date,
        int count,
        boolean isReserved,
        char separator,
        CellNotation notation) {
    public static final char COMMA = ',';

    /**
     * The content of a column. Only imports have columns other than key and date. Fingerprints and the JSON rows of
     * imports use this order.
     */
    public enum Field {
        KEY,
        NUMBER,
        TEXT,
        DATE,
        STATUS,
        REASON
    }

    public ListColumns {
        columns = List.copyOf(columns);
        places = Map.copyOf(places);
    }

    /** Creates the columns of JSON, with one number for each row. */
    public ListColumns(List<String> columns, Map<Field, Integer> places) {
        this(columns, places, null, 1, false, COMMA, CellNotation.JSON);
    }

    /** Creates the single column of rows that are only keys. */
    public static ListColumns ofKeys(@Nullable LocalDate date, int count) {
        return new ListColumns(List.of("key"), Map.of(Field.KEY, 0), date, count, false, COMMA, CellNotation.JSON);
    }

    public ListColumns reserved() {
        return new ListColumns(columns, places, date, count, true, separator, notation);
    }

    /** Returns the columns of a CSV file, with its separator and notation. */
    public ListColumns ofFile(char itsSeparator, CellNotation itsNotation) {
        return new ListColumns(columns, places, date, count, isReserved, itsSeparator, itsNotation);
    }

    /** Returns the same columns for a dry run of an import. */
    public ListColumns dryRun() {
        return new ListColumns(columns, places, date, 0, isReserved, separator, notation);
    }

    public boolean isDryRun() {
        return count == 0;
    }

    /** Whether the rows contain the numbers themselves. */
    public boolean isImport() {
        return places.containsKey(Field.NUMBER) || places.containsKey(Field.TEXT);
    }

    public String key(List<String> row) {
        return row.get(place(Field.KEY));
    }

    /** Returns the request of a row, which was checked when it was uploaded. */
    NumberRequest take(List<String> row, @Nullable String actor) {
        LocalDate ofRow = date(row);
        return new NumberRequest(key(row), count, ofRow == null ? date : ofRow, isReserved, actor);
    }

    /**
     * Returns the date of a row; null if it states none.
     *
     * @throws ProblemException {@code invalid-request}
     */
    public @Nullable LocalDate date(List<String> row) {
        String cell = value(row, Field.DATE);
        return cell == null ? null : notation.date(EnumWord.of(Field.DATE), name(Field.DATE), cell);
    }

    /**
     * Returns the number of a row of an import.
     *
     * @throws ProblemException {@code invalid-request} if the row cannot be understood
     */
    public ImportedNumber number(List<String> row) {
        requireKey(EnumWord.of(Field.KEY), row);
        String number = value(row, Field.NUMBER);
        String text = value(row, Field.TEXT);
        if ((number == null) == (text == null)) {
            throw InvalidRequest.because("number", "or a text is required, but not both");
        }
        Status.Kind status = places.containsKey(Field.STATUS)
                ? notation.status(name(Field.STATUS), row.get(place(Field.STATUS)))
                : null;
        return new ImportedNumber(
                key(row),
                number == null ? null : (Long) notation.number(name(Field.NUMBER), number),
                text,
                date(row),
                status,
                reason(status, value(row, Field.REASON)));
    }

    /**
     * Refuses a row whose key cannot be one.
     *
     * @param field names the key in the problem
     * @throws ProblemException {@code invalid-request}
     */
    public void requireKey(String field, List<String> row) {
        PrintableText.KEY.require(field, key(row));
        notation.requireKept(field, name(Field.KEY), key(row));
    }

    /**
     * Refuses a row of a list with dates whose cell is no date. An empty cell is none.
     *
     * @param field names the date in the problem
     * @throws ProblemException {@code invalid-request}
     */
    public void requireDate(String field, List<String> row) {
        notation.date(field, name(Field.DATE), row.get(place(Field.DATE)));
    }

    /** Whether a row is void, although neither the row nor the notation has the reason. */
    public boolean lacksReason(List<String> row) {
        return notation.reason() == null
                && value(row, Field.REASON) == null
                && places.containsKey(Field.STATUS)
                && notation.statuses().kindOf(row.get(place(Field.STATUS))).equals(Optional.of(Status.Kind.VOID));
    }

    private int place(Field field) {
        return Objects.requireNonNull(places.get(field), "The layout has this column.");
    }

    /** Returns the name of the column of a field that the layout has. */
    public String name(Field field) {
        return columns.get(place(field));
    }

    private @Nullable String value(List<String> row, Field column) {
        Integer place = places.get(column);
        String value = place == null ? "" : row.get(place);
        return value.isEmpty() ? null : value;
    }

    private @Nullable String reason(Status.@Nullable Kind status, @Nullable String stated) {
        boolean isVoid = status == Status.Kind.VOID;
        String reason = stated == null && isVoid ? notation.reason() : stated;
        if (isVoid != (reason != null)) {
            throw InvalidRequest.because("reason", "is required for the status void, and allowed for no other status");
        }
        if (reason != null) {
            PrintableText.REASON.require("reason", reason);
        }
        return reason;
    }

    /**
     * Returns how many UTF-16 units a row takes in storage as JSON, including its empty values and escaped characters.
     */
    public static int storedUnits(List<String> row) {
        int units = 2;
        for (String value : row) {
            units += 3;
            for (int i = 0; i < value.length(); i++) {
                char unit = value.charAt(i);
                units += unit < ' ' ? 6 : unit == '"' || unit == '\\' ? 2 : 1;
            }
        }
        return units;
    }
}
