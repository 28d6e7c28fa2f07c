package dev.numera.functions.http.lists;

import dev.numera.core.problem.EnumWord;
import dev.numera.functions.http.CsvCell;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.RowResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.QuoteMode;

/** Writes the results of uploads and imports as CSV (RFC 4180): the uploaded columns and those of the service. */
final class ResultCsv {
    /** The most characters that a result line needs for the number, its date and status, and their separators. */
    private static final int OTHER_COLUMNS = 60;

    private ResultCsv() {}

    /** Returns the most characters that the result lines of a row have. */
    static long characters(RowResult<List<String>> item) {
        PrintedAllocation printed = item.result().value();
        long ofEachLine = (long) OTHER_COLUMNS + ListColumns.storedUnits(item.requested());
        return printed == null
                ? ofEachLine + 2L * item.result().refusal().getMessage().length()
                : printed.count() * (ofEachLine + printed.longestText());
    }

    /**
     * Writes refused rows of an import: the columns as the caller sent them, and the line, outcome and problem of each
     * row. The user corrects the file and uploads it again, and the service then ignores the three added columns.
     * Protects against formulas as {@link #write} does.
     */
    static String writeRefused(ListColumns columns, Stream<RowResult<List<String>>> items) {
        return write(columns, OwnColumns.OF_REFUSED_ROWS, items, item -> Stream.of(ofImport(columns, item)));
    }

    /**
     * Writes all rows of an import like {@link #writeRefused}, with the stored date, status and text. For a dry run,
     * these are the values that an import would store.
     */
    static String writeImport(ListColumns columns, Stream<RowResult<List<String>>> items) {
        return write(
                columns,
                OwnColumns.OF_IMPORTS,
                items,
                item -> Stream.of(Stream.concat(ofImport(columns, item).stream(), stored(item))
                        .toList()));
    }

    private static List<Object> ofImport(ListColumns columns, RowResult<List<String>> item) {
        return List.of(item.line() == 0 ? "" : item.line(), UploadJson.outcome(columns, item), problem(item));
    }

    private static Stream<Object> stored(RowResult<List<String>> item) {
        PrintedAllocation printed = item.result().value();
        if (printed == null) {
            return Stream.of("", "", "");
        }
        return Stream.of(
                Objects.requireNonNullElse(printed.date(), ""),
                EnumWord.of(printed.status().kind()),
                printed.texts() == null ? "" : CsvCell.harmless(printed.texts().get(0)));
    }

    private static String problem(RowResult<List<String>> item) {
        if (item.isRefused()) {
            return CsvCell.harmless(item.result().refusal().getMessage());
        }
        return item.equalLine() == 0 ? "" : "The row is equal to line " + item.equalLine() + ".";
    }

    /**
     * Writes the uploaded columns, with number, text and problem of each row. A row that got several numbers has a line
     * for each. Texts that a spreadsheet would run as formulas are made harmless.
     */
    static String write(ListColumns columns, Stream<RowResult<List<String>>> items) {
        return write(columns, OwnColumns.OF_UPLOADS, items, ResultCsv::ofUpload);
    }

    private static Stream<List<Object>> ofUpload(RowResult<List<String>> item) {
        if (item.isRefused()) {
            return Stream.of(
                    List.of("", "", CsvCell.harmless(item.result().refusal().getMessage())));
        }
        PrintedAllocation printed = item.result().orThrow();
        return IntStream.range(0, printed.count())
                .mapToObj(i -> List.of(
                        printed.first() + i * printed.increment(),
                        printed.texts() == null
                                ? ""
                                : CsvCell.harmless(printed.texts().get(i)),
                        ""));
    }

    /** @param cells returns the cells of the own columns, for each line of an item */
    private static String write(
            ListColumns columns,
            List<String> own,
            Stream<RowResult<List<String>>> items,
            Function<RowResult<List<String>>, Stream<List<Object>>> cells) {
        List<String> header = new ArrayList<>(harmless(columns.columns()));
        own.forEach(column -> header.add(OwnColumns.unlike(header, column)));
        StringBuilder text = new StringBuilder(header(header, columns.separator()));
        try (CSVPrinter printer = new CSVPrinter(text, UploadCsv.format(columns.separator()))) {
            for (Iterator<RowResult<List<String>>> each = items.iterator(); each.hasNext(); ) {
                RowResult<List<String>> item = each.next();
                List<String> sent = harmless(item.requested());
                for (Iterator<List<Object>> line = cells.apply(item).iterator(); line.hasNext(); ) {
                    List<Object> record = new ArrayList<>(sent);
                    record.addAll(line.next());
                    printer.printRecord(record);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("A text in memory can always be written.", e);
        }
        return text.toString();
    }

    /**
     * Returns the header line. Puts all names into quotes if one contains a character that a reader could take for the
     * separator.
     */
    private static String header(List<String> names, char separator) {
        boolean isAmbiguous = names.stream()
                .flatMapToInt(String::chars)
                .anyMatch(unit -> unit != separator && UploadCsv.SEPARATORS.indexOf(unit) >= 0);
        CSVFormat format = isAmbiguous
                ? UploadCsv.format(separator).builder().setQuoteMode(QuoteMode.ALL).get()
                : UploadCsv.format(separator);
        return format.format(names.toArray()) + format.getRecordSeparator();
    }

    private static List<String> harmless(List<String> texts) {
        return texts.stream().map(CsvCell::harmless).toList();
    }
}
