package dev.numera.functions.http;

import dev.numera.core.format.DatePattern;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/**
 * The form of an answer in CSV, as the caller's parameters choose it. Immutable and thread-safe.
 *
 * @param separator the character between cells; null for the separator of the uploaded list, or a comma
 * @param hasMark whether the answer begins with a byte order mark, so that Excel recognizes UTF-8
 * @param dates the notation of dates
 * @param isForSpreadsheet whether cells that a spreadsheet would convert have an apostrophe
 */
public record CsvForm(@Nullable Character separator, boolean hasMark, DatePattern dates, boolean isForSpreadsheet) {
    /** The form of an answer without parameters. */
    public static final CsvForm PLAIN = new CsvForm(null, false, DatePattern.ISO, false);

    private static final String MARK = "bom";
    private static final String PURPOSE = "for";
    private static final String SPREADSHEET = "spreadsheet";
    /** The most characters that a line has more than in the plain form, apart from its texts. */
    private static final int CHARACTERS_OF_A_FORM = 250;

    /** The time of a zone as spreadsheets read and write it, to the second. */
    private static final DateTimeFormatter LOCAL_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    /** Returns the parameters of a call that can answer in CSV: its own parameters, and the parameters of the form. */
    public static String[] with(String... own) {
        return Stream.concat(Stream.of(own), Query.OF_CSV.stream()).toArray(String[]::new);
    }

    /**
     * Reads the form from the parameters of a call.
     *
     * @param isCsv whether the caller requested CSV
     * @throws ProblemException {@code invalid-request} for a wrong parameter, or for any if the answer is JSON
     */
    public static CsvForm of(Query query, boolean isCsv) {
        if (!isCsv) {
            Query.OF_CSV.stream().filter(query::has).findFirst().ifPresent(parameter -> {
                throw InvalidRequest.because(parameter, "is for CSV only: send Accept: text/csv, or leave it out");
            });
            return PLAIN;
        }
        return new CsvForm(query.separator(), query.flag(MARK), query.datePattern(), isForSpreadsheet(query));
    }

    private static boolean isForSpreadsheet(Query query) {
        String purpose = query.text(PURPOSE);
        if (purpose != null && !purpose.equals(SPREADSHEET)) {
            throw InvalidRequest.because(PURPOSE, "must be " + SPREADSHEET + ", or be left out");
        }
        return purpose != null;
    }

    /** Returns the format of RFC 4180 with another character between the cells. */
    public static CSVFormat separatedBy(char separator) {
        return CSVFormat.RFC4180.builder().setDelimiter(separator).get();
    }

    /** Returns the separator, or another one if the caller chose none. */
    public char separatorOr(char other) {
        return separator == null ? other : separator;
    }

    /** Returns the most characters that a line has more than in the plain form, apart from its texts. */
    public int moreCharacters() {
        return isForSpreadsheet || !dates.equals(DatePattern.ISO) ? CHARACTERS_OF_A_FORM : 0;
    }

    /** Returns a cell that no spreadsheet runs as a formula; empty for null. */
    public String text(@Nullable String text) {
        if (text == null) {
            return "";
        }
        return isForSpreadsheet ? CsvCell.preserved(text) : CsvCell.harmless(text);
    }

    /** Returns the cell of a number. A spreadsheet would round a long one. */
    public String number(long number) {
        String digits = Long.toString(number);
        return isForSpreadsheet ? CsvCell.preserved(digits) : digits;
    }

    public String date(@Nullable LocalDate date) {
        return date == null ? "" : text(dates.write(date));
    }

    /** Returns the cell of a moment in UTC; for a spreadsheet, to the second. */
    public String time(@Nullable Instant moment) {
        if (moment == null) {
            return "";
        }
        return isForSpreadsheet ? text(moment.truncatedTo(ChronoUnit.SECONDS).toString()) : moment.toString();
    }

    /** Returns the cell of a moment in a time zone, such as {@code 2026-11-21 10:30:00}. */
    public String localTime(@Nullable Instant moment, ZoneId zone) {
        return moment == null ? "" : text(LOCAL_TIME.format(LocalDateTime.ofInstant(moment, zone)));
    }
}
