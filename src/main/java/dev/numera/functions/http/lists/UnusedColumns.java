package dev.numera.functions.http.lists;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.lists.CellText;
import dev.numera.sequences.lists.DateNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds columns of an import that seem to contain dates or statuses, but that no parameter names. If they were ignored,
 * each document would permanently get the date of the import, and each void number would count as issued.
 *
 * @param named the fields whose columns the caller named by parameters
 * @param ignored the places of columns that the caller wants to be ignored
 */
record UnusedColumns(ListColumns columns, Set<Field> named, Set<Integer> ignored, List<List<String>> rows) {
    /**
     * Refuses the list if it has such columns.
     *
     * @param fields that such a column may be for
     * @throws ProblemException {@code invalid-request} that names each such column
     */
    void requireNone(Set<Field> fields) {
        InvalidRequest invalid = new InvalidRequest();
        IntStream.range(0, columns.columns().size())
                .filter(place -> !columns.places().containsValue(place) && !ignored.contains(place))
                .forEach(place -> {
                    if (fields.contains(Field.DATE) && isWithout(Field.DATE)) {
                        dates(place)
                                .ifPresent(sign -> invalid.add(
                                        ListParameters.DATE_COLUMN,
                                        reason(
                                                place,
                                                sign,
                                                columns.isImport()
                                                        ? "every document has the day of the import"
                                                        : "every number has the day of the upload")));
                    }
                    if (fields.contains(Field.STATUS) && isWithout(Field.STATUS)) {
                        statuses(place)
                                .ifPresent(sign -> invalid.add(
                                        ListParameters.STATUS_COLUMN, reason(place, sign, "every number is issued")));
                    }
                });
        invalid.throwIfAny();
    }

    /**
     * Whether no column supplies the field. An empty column with the field's default name does not count: the values
     * may be in a column with another name.
     */
    private boolean isWithout(Field field) {
        Integer place = columns.places().get(field);
        return place == null || !named.contains(field) && firstCell(place).isEmpty();
    }

    private String reason(int place, String sign, String otherwise) {
        return "is required, or " + ListParameters.IGNORE + " with the column '"
                + Excerpt.of(columns.columns().get(place)) + "', which " + sign + ": otherwise " + otherwise;
    }

    /** Returns the sign that a column holds dates, for the problem's message; empty if not all cells are dates. */
    private Optional<String> dates(int place) {
        Optional<String> first = firstCell(place);
        boolean isOfDates =
                first.isPresent() && DateNotation.ofAll(() -> cells(place)).isPresent();
        return isOfDates ? first.map(date -> "has dates such as " + Excerpt.of(date)) : Optional.empty();
    }

    private Optional<String> statuses(int place) {
        if (StatusWords.areIn(() -> cells(place))) {
            return firstCell(place).map(word -> "has values that look like a status, such as " + Excerpt.of(word));
        }
        boolean isOnlyHeader =
                columns.places().containsKey(Field.STATUS) && firstCell(place).isEmpty();
        return !isOnlyHeader && StatusWords.isHeader(columns.columns().get(place))
                ? Optional.of("has a name that suggests a status")
                : Optional.empty();
    }

    private Optional<String> firstCell(int place) {
        return cells(place).findFirst();
    }

    private Stream<String> cells(int place) {
        return rows.stream().map(row -> row.get(place)).filter(cell -> !CellText.stripped(cell)
                .isEmpty());
    }
}
