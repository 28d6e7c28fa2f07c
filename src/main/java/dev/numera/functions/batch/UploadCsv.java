package dev.numera.functions.batch;

import dev.numera.batch.UploadLayout;
import dev.numera.batch.UploadRow;
import dev.numera.batch.Uploads;
import dev.numera.functions.CsvCell;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Uploads in CSV as in RFC 4180, with a header line. */
final class UploadCsv {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180;
    private static final String HEADER = "header";
    private static final List<String> ADDED_COLUMNS = List.of("number", "text");

    private UploadCsv() {}

    /**
     * The rows of a text.
     *
     * @param keyColumn the name of the column with the key; null for the first one
     * @param dateColumn the name of the column with the date; null for none
     * @throws ProblemException {@code invalid-request} that names the line, {@code too-large}
     */
    static UploadedRows read(String text, @Nullable String keyColumn, @Nullable String dateColumn) {
        long line = 1;
        RowReader reader = new RowReader(text, Uploads.MAX_ROW_UNITS);
        try (CSVParser parser = CSVParser.parse(reader, FORMAT)) {
            Iterator<CSVRecord> records = parser.iterator();
            if (!records.hasNext()) {
                throw InvalidRequest.because("body", "must begin with a header line");
            }
            UploadedRows rows = new UploadedRows(layout(records.next().toList(), keyColumn, dateColumn));
            line = parser.getCurrentLineNumber() + 1;
            reader.beginRow();
            while (records.hasNext()) {
                rows.add("line " + line, records.next().toList());
                line = parser.getCurrentLineNumber() + 1;
                reader.beginRow();
            }
            return rows;
        } catch (UncheckedIOException e) {
            IOException cause = Objects.requireNonNull(e.getCause(), "An UncheckedIOException wraps another one.");
            String problem = cause instanceof RowReader.RowTooLong ? "" : "is no CSV as in RFC 4180: ";
            throw InvalidRequest.because("line " + line, problem + cause.getMessage());
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be read.", e);
        }
    }

    /**
     * The uploaded columns, with number and text of each. A row that got several numbers comes once for each of them.
     * Texts that a spreadsheet would take for formulas are made harmless.
     */
    static String write(UploadLayout layout, Stream<Uploads.Item> items) {
        StringBuilder text = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(text, FORMAT)) {
            List<String> header = new ArrayList<>(harmless(layout.columns()));
            header.addAll(ADDED_COLUMNS);
            printer.printRecord(header);
            for (Iterator<Uploads.Item> each = items.iterator(); each.hasNext(); ) {
                write(each.next(), printer);
            }
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be written.", e);
        }
        return text.toString();
    }

    private static void write(Uploads.Item item, CSVPrinter printer) throws IOException {
        List<Object> record = new ArrayList<>(harmless(item.row().values()));
        if (item.answer().isRefused()) {
            record.addAll(List.of("", ""));
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
            printer.printRecord(numbered);
        }
    }

    private static List<String> harmless(List<String> texts) {
        return texts.stream().map(CsvCell::harmless).toList();
    }

    private static UploadLayout layout(List<String> columns, @Nullable String keyColumn, @Nullable String dateColumn) {
        if (new UploadRow(columns).storedUnits() > Uploads.MAX_ROW_UNITS) {
            throw InvalidRequest.because(HEADER, "has more than " + Uploads.MAX_ROW_UNITS + " characters as JSON");
        }
        return new UploadLayout(
                columns,
                keyColumn == null ? 0 : column(columns, UploadBody.KEY_COLUMN, keyColumn),
                dateColumn == null ? UploadLayout.NO_COLUMN : column(columns, UploadBody.DATE_COLUMN, dateColumn),
                null,
                1);
    }

    private static int column(List<String> columns, String parameter, String name) {
        int index = columns.indexOf(name);
        if (index < 0 || index != columns.lastIndexOf(name)) {
            throw InvalidRequest.because(parameter, "must be the name of exactly one column in the header line");
        }
        return index;
    }
}
