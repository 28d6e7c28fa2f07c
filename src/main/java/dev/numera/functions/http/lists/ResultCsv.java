package dev.numera.functions.http.lists;

import dev.numera.core.problem.EnumWord;
import dev.numera.functions.http.CsvForm;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.RowResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.QuoteMode;

/** Writes the results of uploads and imports as CSV (RFC 4180): the uploaded columns and the service's own columns. */
record ResultCsv(CsvForm form) {
    /** The most characters that a result line needs for the number, its date and status, and their separators. */
    private static final int OTHER_COLUMNS = 60;

    /** Returns the most characters that the result lines of a row have. */
    long characters(RowResult<List<String>> item) {
        PrintedAllocation printed = item.result().value();
        long ofEachLine = (long) OTHER_COLUMNS + form.moreCharacters() + ListColumns.storedUnits(item.requested());
        return printed == null
                ? ofEachLine + 2L * item.result().refusal().getMessage().length()
                : printed.count() * (ofEachLine + printed.longestText());
    }

    /**
     * Writes refused rows of an import: the columns as the caller sent them, and the line, outcome and problem of each
     * row. The user corrects the file and uploads it again, and the service then ignores the three added columns.
     * Protects against formulas as {@link #write} does.
     */
    String writeRefused(ListColumns columns, Stream<RowResult<List<String>>> items) {
        return write(columns, OwnColumns.OF_REFUSED_ROWS, items, item -> Stream.of(ofImport(columns, item)));
    }

    /**
     * Writes all rows of an import like {@link #writeRefused}, with the stored date, status and text. For a dry run,
     * these are the values that an import would store.
     */
    String writeImport(ListColumns columns, Stream<RowResult<List<String>>> items) {
        return write(
                columns,
                OwnColumns.OF_IMPORTS,
                items,
                item -> Stream.of(Stream.concat(ofImport(columns, item).stream(), stored(item))
                        .toList()));
    }

    private List<Object> ofImport(ListColumns columns, RowResult<List<String>> item) {
        return List.of(item.line() == 0 ? "" : item.line(), UploadJson.outcome(columns, item), problem(item));
    }

    private Stream<Object> stored(RowResult<List<String>> item) {
        PrintedAllocation printed = item.result().value();
        if (printed == null) {
            return Stream.of("", "", "");
        }
        return Stream.of(
                form.date(printed.date()),
                EnumWord.of(printed.status().kind()),
                form.text(printed.texts() == null ? null : printed.texts().get(0)));
    }

    private String problem(RowResult<List<String>> item) {
        if (item.isRefused()) {
            return form.text(item.result().refusal().getMessage());
        }
        return item.equalLine() == 0 ? "" : "The row is equal to line " + item.equalLine() + ".";
    }

    /**
     * Writes the uploaded columns, with number, text, problem and date of each row. A row that got several numbers has
     * a line for each. Texts that a spreadsheet would run as formulas are made harmless.
     */
    String write(ListColumns columns, Stream<RowResult<List<String>>> items) {
        return write(columns, OwnColumns.WRITTEN_FOR_UPLOADS, items, this::ofUpload);
    }

    private Stream<List<Object>> ofUpload(RowResult<List<String>> item) {
        if (item.isRefused()) {
            return Stream.of(List.of("", "", form.text(item.result().refusal().getMessage()), ""));
        }
        PrintedAllocation printed = item.result().orThrow();
        return IntStream.range(0, printed.count())
                .mapToObj(i -> List.of(
                        form.number(printed.first() + i * printed.increment()),
                        form.text(
                                printed.texts() == null ? null : printed.texts().get(i)),
                        "",
                        form.date(printed.date())));
    }

    /** @param cells returns the cells of the own columns, for each line of an item */
    private String write(
            ListColumns columns,
            List<String> own,
            Stream<RowResult<List<String>>> items,
            Function<RowResult<List<String>>, Stream<List<Object>>> cells) {
        char separator = form.separatorOr(columns.separator());
        List<String> header = new ArrayList<>(written(columns.columns()));
        own.forEach(column -> header.add(OwnColumns.unlike(header, column)));
        StringBuilder text = new StringBuilder(header(header, separator));
        try (CSVPrinter printer = new CSVPrinter(text, CsvForm.separatedBy(separator))) {
            for (Iterator<RowResult<List<String>>> each = items.iterator(); each.hasNext(); ) {
                RowResult<List<String>> item = each.next();
                List<String> sent = written(item.requested());
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
                ? CsvForm.separatedBy(separator)
                        .builder()
                        .setQuoteMode(QuoteMode.ALL)
                        .get()
                : CsvForm.separatedBy(separator);
        return format.format(names.toArray()) + format.getRecordSeparator();
    }

    private List<String> written(List<String> texts) {
        return texts.stream().map(form::text).toList();
    }
}
