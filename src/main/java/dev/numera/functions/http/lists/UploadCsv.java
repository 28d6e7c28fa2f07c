package dev.numera.functions.http.lists;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.functions.http.CsvForm;
import dev.numera.functions.http.Query;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import dev.numera.sequences.lists.Uploads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads lists as CSV (RFC 4180) with a header line. */
final class UploadCsv {
    static final String SEPARATORS = ",;\t";
    private static final int MAX_COLUMNS = 500;

    private static final String HEADER = "header";
    /** A line that some spreadsheets write before the header line, followed by the separator. */
    private static final String SPREADSHEETS_LINE = "sep=";

    private static final String KEY = "key";

    private UploadCsv() {}

    /**
     * Reads a list of keys.
     *
     * @throws ProblemException {@code invalid-request} that names the line, {@code too-large}
     */
    static UploadedRows read(String text, ListParameters parameters, CellNotation notation) {
        return read(text, parameters.structure(), parameters::ownOfUpload, (headers, separator) -> layout(
                        headers, parameters)
                .ofFile(separator, notation));
    }

    /**
     * Reads the rows of a list.
     *
     * @param own finds the service's own columns by the header line
     * @param layout assigns fields to the other columns, and keeps the separator
     * @throws ProblemException as {@link #read(String, ListParameters, CellNotation)}
     */
    static UploadedRows read(
            String file,
            CsvStructure structure,
            Function<Headers, OwnColumns> own,
            BiFunction<Headers, Character, ListColumns> layout) {
        String list = file.substring(structure.start(file));
        Character stated = structure.separator();
        char used = stated == null ? recognised(list) : stated;
        String text = EmptyTail.removed(list, used);
        int before = structure.headerLine() - 1;
        long line = structure.headerLine();
        RowReader reader = new RowReader(text, Uploads.MAX_ROW_UNITS);
        try (CSVParser parser = CSVParser.parse(reader, CsvForm.separatedBy(used))) {
            Iterator<CSVRecord> records = parser.iterator();
            if (!records.hasNext()) {
                throw InvalidRequest.because("body", "must begin with a header line");
            }
            Headers headers = headers(records.next().toList());
            CsvTable table = new CsvTable(text, used, headers, own.apply(headers));
            UploadedRows rows = new UploadedRows(layout.apply(table.columns(), used));
            line = before + parser.getCurrentLineNumber() + 1;
            reader.beginRow(line);
            boolean isEnded = false;
            while (!isEnded && hasNext(records, rows, line)) {
                CSVRecord record = records.next();
                isEnded = structure.isEnd(record);
                if (!isEnded) {
                    add(rows, line, record, table);
                }
                line = before + parser.getCurrentLineNumber() + 1;
                reader.beginRow(line);
            }
            rows.requireRight();
            structure.requireEnd(isEnded);
            return rows;
        } catch (UncheckedIOException e) {
            throw noCsv(line, e);
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be read.", e);
        }
    }

    private static void add(UploadedRows rows, long line, CSVRecord record, CsvTable table) {
        String place = "line " + line;
        List<String> cells;
        try {
            cells = table.row(record, rows.layout(), place);
        } catch (ProblemException e) {
            rows.wrong(e);
            return;
        }
        rows.add(place, Math.toIntExact(line), cells);
    }

    /** Detects the separator: the only candidate outside quotes in the header line, or a comma if it contains none. */
    private static char recognised(String text) {
        Set<Character> found = new LinkedHashSet<>();
        boolean isQuoted = false;
        for (int at = 0; at < Math.min(text.length(), Uploads.MAX_ROW_UNITS); at++) {
            char unit = text.charAt(at);
            if (unit == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted && (unit == '\n' || unit == '\r')) {
                break;
            } else if (!isQuoted && SEPARATORS.indexOf(unit) >= 0) {
                found.add(unit);
            }
        }
        if (found.size() > 1) {
            throw InvalidRequest.because(
                    HEADER,
                    "contains several separators: choose comma, semicolon or tab with the parameter " + Query.SEPARATOR
                            + ", or put the names with the others into quotes");
        }
        return found.isEmpty() ? ListColumns.COMMA : found.iterator().next();
    }

    private static Headers headers(List<String> columns) {
        if (columns.get(0).regionMatches(true, 0, SPREADSHEETS_LINE, 0, SPREADSHEETS_LINE.length())) {
            throw InvalidRequest.because(
                    HEADER,
                    "is the line " + SPREADSHEETS_LINE
                            + " that only spreadsheets read: delete it, so that the list starts with the names of its"
                            + " columns");
        }
        if (ListColumns.storedUnits(columns) > Uploads.MAX_ROW_UNITS) {
            throw InvalidRequest.because(HEADER, "has more than " + Uploads.MAX_ROW_UNITS + " characters as JSON");
        }
        if (columns.size() > MAX_COLUMNS) {
            throw InvalidRequest.because(
                    HEADER,
                    "has " + columns.size() + " columns, but an upload has at most " + MAX_COLUMNS
                            + ": leave out those that are not needed");
        }
        return new Headers(columns);
    }

    /**
     * Whether there is another row. Invalid CSV or too long a row ends the list with a problem, because the start of
     * the next row is unknown.
     */
    private static boolean hasNext(Iterator<CSVRecord> records, UploadedRows rows, long line) {
        try {
            return records.hasNext();
        } catch (UncheckedIOException e) {
            rows.wrong(noCsv(line, e));
            return false;
        } catch (ProblemException e) {
            rows.wrong(e);
            return false;
        }
    }

    private static ProblemException noCsv(long line, UncheckedIOException e) {
        // The parser's own message names a line that is counted from the header line, not from the start of the file.
        boolean isOpen = String.valueOf(e.getMessage()).contains("EOF");
        return InvalidRequest.because(
                "line " + line,
                "is no CSV as in RFC 4180: it has "
                        + (isOpen ? "a quote that is never closed" : "characters after a closing quote"));
    }

    private static ListColumns layout(Headers headers, ListParameters parameters) {
        String keyColumn = parameters.columnOf(Field.KEY);
        if (headers.names().size() == 1 && keyColumn == null && !headers.has(KEY)) {
            throw InvalidRequest.because(
                    ListParameters.KEY_COLUMN,
                    "is required for a list of one column that is not called key, because its first line could be a"
                            + " key instead of a header; "
                            + headers.shown());
        }
        Set<Integer> ignored = headers.places(ListParameters.IGNORE, parameters.ignored());
        Map<Field, Integer> places = new EnumMap<>(Field.class);
        places.put(
                Field.KEY,
                keyColumn == null ? first(headers, ignored) : headers.place(ListParameters.KEY_COLUMN, keyColumn));
        String dateColumn = parameters.columnOf(Field.DATE);
        if (dateColumn != null) {
            places.put(Field.DATE, headers.place(ListParameters.DATE_COLUMN, dateColumn));
        }
        ListColumns columns = new ListColumns(headers.names(), places);
        requireUnread(columns, ignored);
        return columns;
    }

    private static int first(Headers headers, Set<Integer> ignored) {
        return IntStream.range(0, headers.names().size())
                .filter(place -> !ignored.contains(place))
                .findFirst()
                .orElseThrow(() -> InvalidRequest.because(
                        ListParameters.IGNORE, "must leave a column with the keys; " + headers.shown()));
    }

    /**
     * Refuses a column that the request both ignores and uses.
     *
     * @throws ProblemException {@code invalid-request}
     */
    static void requireUnread(ListColumns columns, Set<Integer> ignored) {
        ignored.stream().filter(columns.places()::containsValue).findFirst().ifPresent(place -> {
            throw InvalidRequest.because(
                    ListParameters.IGNORE,
                    "must not name the column '" + Excerpt.of(columns.columns().get(place))
                            + "', which another parameter names: leave it out of one of them");
        });
    }
}
