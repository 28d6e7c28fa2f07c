package dev.numera.sequences.lists;

import dev.numera.core.model.FieldParsers;
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
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a list's columns, by which a row becomes a request. A row is a list of strings, one for each column;
 * an empty string is no value.
 *
 * @param columns their names
 * @param places the index of each column that has a meaning, {@link Field#KEY} among them
 * @param date of rows without one; null for the day of the upload
 * @param count how many numbers each row requests; 0 in an import that only reports what it would do, which versions
 *     that know no such imports refuse to read instead of importing it
 * @param isReserved whether the numbers are reserved
 * @param separator of the columns in CSV
 */
public record ListColumns(
        List<String> columns,
        Map<Field, Integer> places,
        @Nullable LocalDate date,
        int count,
        boolean isReserved,
        char separator) {
    public static final char COMMA = ',';

    /**
     * What a column can contain: all but key and date only in an import. Fingerprints and the rows of imports in JSON
     * have them in this order.
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

    /** One number for each row, separated by commas. */
    public ListColumns(List<String> columns, Map<Field, Integer> places) {
        this(columns, places, null, 1, false, COMMA);
    }

    /** Rows that are keys only. */
    public static ListColumns ofKeys(@Nullable LocalDate date, int count) {
        return new ListColumns(List.of("key"), Map.of(Field.KEY, 0), date, count, false, COMMA);
    }

    public ListColumns reserved() {
        return new ListColumns(columns, places, date, count, true, separator);
    }

    public ListColumns separatedBy(char other) {
        return new ListColumns(columns, places, date, count, isReserved, other);
    }

    /** The same, to find out what an import of the rows would do. */
    public ListColumns dryRun() {
        return new ListColumns(columns, places, date, 0, isReserved, separator);
    }

    public boolean isDryRun() {
        return count == 0;
    }

    /** Whether the rows contain the numbers themselves. */
    public boolean isImport() {
        return places.containsKey(Field.NUMBER) || places.containsKey(Field.TEXT);
    }

    public String key(List<String> row) {
        return row.get(Objects.requireNonNull(places.get(Field.KEY), "Each layout has a column with the key."));
    }

    /** The request of a row that was checked when it was uploaded. */
    NumberRequest take(List<String> row, @Nullable String actor) {
        String ofRow = value(row, Field.DATE);
        return new NumberRequest(key(row), count, ofRow == null ? date : LocalDate.parse(ofRow), isReserved, actor);
    }

    /**
     * The number that a row of an import contains.
     *
     * @throws ProblemException {@code invalid-request} for what cannot be understood
     */
    public ImportedNumber number(List<String> row) {
        PrintableText.KEY.require(EnumWord.of(Field.KEY), key(row));
        String number = value(row, Field.NUMBER);
        String text = value(row, Field.TEXT);
        if ((number == null) == (text == null)) {
            throw InvalidRequest.because("number", "or a text must be there, and not both");
        }
        String ofRow = value(row, Field.DATE);
        Status.Kind status = places.containsKey(Field.STATUS) ? status(value(row, Field.STATUS)) : null;
        return new ImportedNumber(
                key(row),
                number == null ? null : (Long) FieldParsers.wholeNumber("number", number),
                text,
                ofRow == null ? null : FieldParsers.date("date", ofRow),
                status,
                reason(status, value(row, Field.REASON)));
    }

    private @Nullable String value(List<String> row, Field column) {
        Integer place = places.get(column);
        String value = place == null ? "" : row.get(place);
        return value.isEmpty() ? null : value;
    }

    private static Status.Kind status(@Nullable String word) {
        return word == null
                ? Status.Kind.ISSUED
                : EnumWord.find(word, Status.Kind.class)
                        .orElseThrow(() -> InvalidRequest.because("status", "must be issued, reserved or void"));
    }

    private static @Nullable String reason(Status.@Nullable Kind status, @Nullable String reason) {
        if ((status == Status.Kind.VOID) != (reason != null)) {
            throw InvalidRequest.because("reason", "must be there where the status is void, and only there");
        }
        if (reason != null) {
            PrintableText.REASON.require("reason", reason);
        }
        return reason;
    }

    /**
     * How many UTF-16 units a row takes in storage, where it is JSON: empty values and control characters take some,
     * too.
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
