package dev.numera.functions.http.lists;

import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.functions.http.Query;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns.Field;
import dev.numera.sequences.lists.NumberNotation;
import dev.numera.sequences.lists.StatusMap;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parameters that state how a CSV file is meant. Methods throw {@code invalid-request} for a wrong value. */
record ListParameters(Query query) {
    static final String KEY_COLUMN = column(Field.KEY);
    static final String DATE_COLUMN = column(Field.DATE);
    static final String STATUS_COLUMN = column(Field.STATUS);
    static final String IGNORE = "ignore";
    static final String HEADER_LINE = "headerLine";
    static final String UNTIL = "until";
    static final String DATE_FORMAT = Query.DATE_FORMAT;
    static final String REASON = "reason";
    static final String MAX_NUMBER = "maxNumber";
    private static final String GROUPING = "grouping";
    private static final String DECIMAL = "decimal";
    private static final String STATUS_MAP = "statusMap";
    private static final int MAX_HEADER_LINE = 1_000;

    /** The parameters of all lists in CSV. */
    private static final List<String> OF_LISTS = List.of(
            KEY_COLUMN,
            DATE_COLUMN,
            Query.SEPARATOR,
            BodyText.ENCODING,
            DATE_FORMAT,
            Query.CENTURY,
            IGNORE,
            HEADER_LINE,
            UNTIL);

    /** Returns the parameters of a list of keys. */
    static List<String> ofKeys() {
        return OF_LISTS;
    }

    /** Returns the parameters of an import. */
    static List<String> ofImport() {
        List<String> all = new ArrayList<>(OF_LISTS);
        Stream.of(Field.NUMBER, Field.TEXT, Field.STATUS, Field.REASON)
                .map(ListParameters::column)
                .forEach(all::add);
        all.addAll(List.of(GROUPING, DECIMAL, STATUS_MAP, REASON, MAX_NUMBER));
        return all;
    }

    /** Returns the parameter that names the column of a field. */
    static String column(Field field) {
        return EnumWord.of(field) + "Column";
    }

    /** Returns the name of the column that the caller states for a field; null if the caller states none. */
    @Nullable
    String columnOf(Field field) {
        return query.text(column(field));
    }

    /** Returns the names of the columns that the caller states. */
    List<String> columns() {
        return Stream.of(Field.values())
                .map(this::columnOf)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Finds the service's own columns in a list of keys, except those that the caller states for a field. */
    OwnColumns ownOfUpload(Headers headers) {
        return OwnColumns.ofUpload(headers).unnamed(headers, columns());
    }

    /** Like {@link #ownOfUpload}, in an import. */
    OwnColumns ownOfImport(Headers headers) {
        return OwnColumns.ofImport(headers).unnamed(headers, columns());
    }

    /** Returns the name of a field's column in an import: the stated one, or the name of the field. */
    String nameOf(Field field) {
        return Objects.requireNonNullElse(columnOf(field), EnumWord.of(field));
    }

    /** Returns the names of the columns that are not to be read. */
    List<String> ignored() {
        return query.texts(IGNORE);
    }

    @Nullable
    String encoding() {
        return query.text(BodyText.ENCODING);
    }

    CsvStructure structure() {
        return new CsvStructure(query.separator(), query.number(HEADER_LINE, 1, 1, MAX_HEADER_LINE), query.text(UNTIL));
    }

    /** Returns the notation of the cells, for a sequence with this time zone. */
    CellNotation notation(ZoneId zone) {
        String reason = query.text(REASON);
        if (reason != null) {
            PrintableText.REASON.require(REASON, reason);
        }
        String statuses = query.text(STATUS_MAP);
        return new CellNotation(
                true,
                query.datePattern(),
                zone,
                new NumberNotation(character(GROUPING), character(DECIMAL)),
                statuses == null ? StatusMap.NONE : StatusMap.parse(statuses),
                reason);
    }

    private @Nullable Character character(String parameter) {
        String value = query.text(parameter);
        if (value == null) {
            return null;
        }
        if (value.length() != 1 || Character.isLetterOrDigit(value.charAt(0)) || value.equals("-")) {
            throw InvalidRequest.because(parameter, "must be one character that is neither a letter, a digit nor -");
        }
        return value.charAt(0);
    }

    /** Returns the greatest number that an import may contain, in the direction of the series; null for no limit. */
    @Nullable
    Long maxNumber() {
        return query.has(MAX_NUMBER) ? (Long) query.bigNumber(MAX_NUMBER, 0) : null;
    }
}
