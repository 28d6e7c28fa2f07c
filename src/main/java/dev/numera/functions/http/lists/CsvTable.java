package dev.numera.functions.http.lists;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.functions.http.CsvCell;
import dev.numera.sequences.lists.ListColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads the records of an uploaded CSV text, without the additions of programs: columns and apostrophes that this
 * service added to an earlier download, and the characters, as in {@code ="007"}, that a spreadsheet writes around a
 * number to keep its zeros.
 */
final class CsvTable {
    /** A cell such as {@code ="007"}, which spreadsheets write without quotes around the whole cell. */
    private static final Pattern GUARDED = Pattern.compile("=\"([^\"]*)\"");

    private static final char QUOTE = '"';

    private final String text;
    private final char separator;
    private final Headers headers;
    private final OwnColumns own;

    /** @param headers of all columns in the text */
    CsvTable(String text, char separator, Headers headers, OwnColumns own) {
        this.text = text;
        this.separator = separator;
        this.headers = headers;
        this.own = own;
    }

    /** Returns the headers without the service's own columns. */
    Headers columns() {
        return new Headers(meant(headers.names()));
    }

    /**
     * Returns a record's cells, without the service's own columns.
     *
     * @param columns the layout without the own columns
     * @param place names the record in a problem
     * @throws ProblemException {@code invalid-request} for that place
     */
    List<String> row(CSVRecord record, ListColumns columns, String place) {
        int width = headers.names().size();
        if (record.size() != width) {
            throw InvalidRequest.because(
                    place,
                    "has " + record.size() + " columns, but the header has " + width
                            + (isEmptyLine(record) ? ": it is empty, so delete it" : ""));
        }
        List<String> cells = meant(unguarded(record, columns, place));
        if (cells.equals(columns.columns())) {
            throw InvalidRequest.because(place, "repeats the header line: delete it");
        }
        return cells;
    }

    private static boolean isEmptyLine(CSVRecord record) {
        return record.size() == 1 && record.get(0).isBlank();
    }

    private List<String> meant(List<String> cells) {
        if (!own.isThere()) {
            return cells;
        }
        return kept().mapToObj(cells::get).map(CsvCell::meant).toList();
    }

    private IntStream kept() {
        return IntStream.range(0, headers.names().size())
                .filter(place -> !own.dropped().contains(place));
    }

    /**
     * Returns the cells, without {@code ="..."} in the columns that the upload uses. Refuses any other quote there that
     * RFC 4180 does not allow. Unused columns may contain such quotes, for example as a sign for inches.
     */
    private List<String> unguarded(CSVRecord record, ListColumns columns, String place) {
        List<String> cells = record.toList();
        if (cells.stream().noneMatch(cell -> cell.indexOf(QUOTE) >= 0)) {
            return cells;
        }
        List<String> unguarded = new ArrayList<>(cells);
        int[] kept = kept().toArray();
        for (int read : columns.places().values()) {
            int column = kept[read];
            String cell = cells.get(column);
            if (cell.indexOf(QUOTE) >= 0 && isBare(Math.toIntExact(record.getCharacterPosition()), column)) {
                unguarded.set(column, content(cell, column, place));
            }
        }
        return unguarded;
    }

    private String content(String cell, int column, String place) {
        Matcher guarded = GUARDED.matcher(cell);
        if (guarded.matches()) {
            return guarded.group(1);
        }
        throw InvalidRequest.because(
                place,
                "has a quote in the column '" + Excerpt.of(headers.names().get(column))
                        + "' that RFC 4180 does not allow: put the whole cell into quotes and double each quote in it,"
                        + " or delete the quote");
    }

    /** Whether a cell starts without a quote. The parser has already read the record, so its structure is valid. */
    private boolean isBare(int startOfRecord, int column) {
        int at = startOfRecord;
        for (int before = 0; before < column; before++) {
            at = endOfCell(at) + 1;
        }
        return text.charAt(at) != QUOTE;
    }

    private int endOfCell(int start) {
        boolean isQuoted = text.charAt(start) == QUOTE;
        int at = isQuoted ? endOfQuotes(start) : start;
        while (text.charAt(at) != separator) {
            at++;
        }
        return at;
    }

    private int endOfQuotes(int start) {
        int at = text.indexOf(QUOTE, start + 1);
        while (at + 1 < text.length() && text.charAt(at + 1) == QUOTE) {
            at = text.indexOf(QUOTE, at + 2);
        }
        return at + 1;
    }
}
