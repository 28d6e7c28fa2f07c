package dev.numera.functions.batch;

import dev.numera.batch.Answered;
import dev.numera.batch.Layout;
import dev.numera.batch.Layout.Field;
import dev.numera.batch.Uploads;
import dev.numera.functions.CsvCell;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Uploads in CSV as in RFC 4180, with a header line. */
final class UploadCsv {
    private static final String SEPARATORS = ",;\t";
    private static final int SHOWN_UNITS = 200;
    private static final int MAX_COLUMNS = 500;
    /** Of a line: the number, and the separators beside it. */
    private static final int OTHER_COLUMNS = 30;

    private static final String HEADER = "header";
    /** Some write it before the header line, with the separator. */
    private static final String SPREADSHEETS_LINE = "sep=";

    private static final String KEY = "key";
    private static final String PROBLEM = "problem";

    private UploadCsv() {}

    /**
     * The rows of a text.
     *
     * @param keyColumn the name of the column with the key; null for the first one of several, or the one called key
     * @param dateColumn the name of the column with the date; null for none
     * @param separator null to find out by the header line
     * @throws ProblemException {@code invalid-request} that names the line, {@code too-large}
     */
    static UploadedRows read(
            String text, @Nullable String keyColumn, @Nullable String dateColumn, @Nullable Character separator) {
        return read(text, separator, (columns, used) -> layout(columns, keyColumn, dateColumn)
                .separatedBy(used));
    }

    /**
     * The rows of a text.
     *
     * @param separator null to find out by the header line
     * @param layout what the columns mean, which the separator parts
     * @throws ProblemException as the other
     */
    static UploadedRows read(
            String text, @Nullable Character separator, BiFunction<List<String>, Character, Layout> layout) {
        char used = separator == null ? recognised(text) : separator;
        long line = 1;
        RowReader reader = new RowReader(text, Uploads.MAX_ROW_UNITS);
        try (CSVParser parser = CSVParser.parse(reader, format(used))) {
            Iterator<CSVRecord> records = parser.iterator();
            if (!records.hasNext()) {
                throw InvalidRequest.because("body", "must begin with a header line");
            }
            UploadedRows rows =
                    new UploadedRows(layout.apply(header(records.next().toList()), used));
            line = parser.getCurrentLineNumber() + 1;
            reader.beginRow(line);
            while (hasNext(records, rows, line)) {
                rows.add("line " + line, Math.toIntExact(line), records.next().toList());
                line = parser.getCurrentLineNumber() + 1;
                reader.beginRow(line);
            }
            rows.requireRight();
            return rows;
        } catch (UncheckedIOException e) {
            throw noCsv(line, e);
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be read.", e);
        }
    }

    private static CSVFormat format(char separator) {
        return CSVFormat.RFC4180.builder().setDelimiter(separator).get();
    }

    /** The one that the header line has outside of quotes; a comma where it has none. */
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
                    "holds several separators: say by " + ListBody.SEPARATOR
                            + " which of comma, semicolon and tab parts the columns, or put those names in quotes");
        }
        return found.isEmpty() ? Layout.COMMA : found.iterator().next();
    }

    private static List<String> header(List<String> columns) {
        if (columns.get(0).regionMatches(true, 0, SPREADSHEETS_LINE, 0, SPREADSHEETS_LINE.length())) {
            throw InvalidRequest.because(
                    HEADER,
                    "is the line " + SPREADSHEETS_LINE
                            + " that only spreadsheets read: delete it, so that the list starts with the names of its columns");
        }
        if (Layout.storedUnits(columns) > Uploads.MAX_ROW_UNITS) {
            throw InvalidRequest.because(HEADER, "has more than " + Uploads.MAX_ROW_UNITS + " characters as JSON");
        }
        if (columns.size() > MAX_COLUMNS) {
            throw InvalidRequest.because(
                    HEADER,
                    "has " + columns.size() + " columns, but an upload has at most " + MAX_COLUMNS
                            + ": leave out those that are not needed");
        }
        return columns;
    }

    /** What is no CSV, or too long, ends the list: where the next row begins is not known. */
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
        IOException cause = Objects.requireNonNull(e.getCause(), "An UncheckedIOException wraps another one.");
        return InvalidRequest.because("line " + line, "is no CSV as in RFC 4180: " + cause.getMessage());
    }

    /** The most characters that the lines of a row have. */
    static long characters(Answered<List<String>> item) {
        Numbers numbers = item.answer().value();
        long ofEachLine = (long) OTHER_COLUMNS + Layout.storedUnits(item.requested());
        return numbers == null
                ? ofEachLine + 2L * item.answer().refusal().getMessage().length()
                : numbers.count() * (ofEachLine + numbers.longestText());
    }

    /**
     * The columns of an import as they were sent, each row with its line, outcome and problem: to be corrected and sent
     * again, which takes no notice of the three. Texts are made harmless as in {@link #write}.
     */
    static String writeImport(Layout layout, Stream<Answered<List<String>>> items) {
        StringBuilder text = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(text, format(layout.separator()))) {
            List<String> header = new ArrayList<>(harmless(layout.columns()));
            List.of("line", "outcome", PROBLEM).forEach(column -> header.add(unlike(header, column)));
            printer.printRecord(header);
            for (Iterator<Answered<List<String>>> each = items.iterator(); each.hasNext(); ) {
                Answered<List<String>> item = each.next();
                List<Object> record = new ArrayList<>(harmless(item.requested()));
                record.add(item.line() == 0 ? "" : item.line());
                record.add(UploadJson.outcome(layout, item));
                record.add(problem(item));
                printer.printRecord(record);
            }
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be written.", e);
        }
        return text.toString();
    }

    private static String problem(Answered<List<String>> item) {
        if (item.isRefused()) {
            return CsvCell.harmless(item.answer().refusal().getMessage());
        }
        return item.equalLine() == 0 ? "" : "The row is equal to line " + item.equalLine() + ".";
    }

    /**
     * The uploaded columns, with number, text and problem of each. A row that got several numbers comes once for each
     * of them. Texts that a spreadsheet would take for formulas are made harmless.
     */
    static String write(Layout layout, Stream<Answered<List<String>>> items) {
        StringBuilder text = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(text, format(layout.separator()))) {
            List<String> header = new ArrayList<>(harmless(layout.columns()));
            List.of("number", "text", PROBLEM).forEach(column -> header.add(unlike(header, column)));
            printer.printRecord(header);
            for (Iterator<Answered<List<String>>> each = items.iterator(); each.hasNext(); ) {
                write(each.next(), printer);
            }
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be written.", e);
        }
        return text.toString();
    }

    /** A column of the upload may have that name already. */
    private static String unlike(List<String> columns, String name) {
        String other = name;
        while (columns.contains(other)) {
            other = "numera_" + other;
        }
        return other;
    }

    private static void write(Answered<List<String>> item, CSVPrinter printer) throws IOException {
        List<Object> record = new ArrayList<>(harmless(item.requested()));
        if (item.isRefused()) {
            record.addAll(
                    List.of("", "", CsvCell.harmless(item.answer().refusal().getMessage())));
            printer.printRecord(record);
            return;
        }
        Numbers numbers = item.answer().orThrow();
        for (int i = 0; i < numbers.count(); i++) {
            List<Object> numbered = new ArrayList<>(record);
            numbered.add(numbers.first() + i * numbers.increment());
            numbered.add(
                    numbers.texts() == null
                            ? ""
                            : CsvCell.harmless(numbers.texts().get(i)));
            numbered.add("");
            printer.printRecord(numbered);
        }
    }

    private static List<String> harmless(List<String> texts) {
        return texts.stream().map(CsvCell::harmless).toList();
    }

    private static Layout layout(List<String> columns, @Nullable String keyColumn, @Nullable String dateColumn) {
        if (columns.size() == 1 && keyColumn == null && !columns.contains(KEY)) {
            throw InvalidRequest.because(
                    ListBody.KEY_COLUMN,
                    "must be there for a list of one column that is not called key, so that no key is taken for the"
                            + " header line; "
                            + found(columns));
        }
        Map<Field, Integer> places = new EnumMap<>(Field.class);
        places.put(Field.KEY, keyColumn == null ? 0 : column(columns, ListBody.KEY_COLUMN, keyColumn));
        if (dateColumn != null) {
            places.put(Field.DATE, column(columns, ListBody.DATE_COLUMN, dateColumn));
        }
        return new Layout(columns, places);
    }

    static int column(List<String> columns, String parameter, String name) {
        int index = columns.indexOf(name);
        if (index < 0 || index != columns.lastIndexOf(name)) {
            throw InvalidRequest.because(
                    parameter, "must be the name of exactly one column in the header line; " + found(columns));
        }
        return index;
    }

    /** The columns that were found, for a problem. */
    static String found(List<String> columns) {
        String all = String.join(" | ", columns);
        return "it has " + (columns.size() == 1 ? "one column: " : columns.size() + " columns: ")
                + (all.length() <= SHOWN_UNITS ? all : all.substring(0, SHOWN_UNITS) + "...");
    }
}
