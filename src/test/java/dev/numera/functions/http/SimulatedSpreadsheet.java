package dev.numera.functions.http;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A simulation of a spreadsheet that opens a cell of CSV and saves it again. It is no spreadsheet: it knows numbers,
 * dates of two or three parts, logical values and formulas. Real programs know more notations.
 */
enum SimulatedSpreadsheet {
    GERMAN(
            ',',
            '.',
            "dd.MM.yyyy",
            "WAHR",
            "FALSCH",
            "(?<day>\\d{1,2})[.-](?<month>\\d{1,2})(?:[.-](?<year>\\d{2,4})?)?"),
    AMERICAN(
            '.',
            ',',
            "MM/dd/yyyy",
            "TRUE",
            "FALSE",
            "(?<month>\\d{1,2})[/-](?<day>\\d{1,2})(?:[/-](?<year>\\d{2,4}))?");

    private static final Pattern ISO = Pattern.compile("(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})");
    private static final MathContext PRECISION = new MathContext(15, RoundingMode.DOWN);
    private static final int THIS_YEAR = 2026;
    private static final int CENTURY = 2000;
    private static final int PLAIN_DIGITS = 11;

    private final char decimal;
    private final char grouping;
    private final DateTimeFormatter dates;
    private final String yes;
    private final String no;
    private final Pattern notation;

    SimulatedSpreadsheet(char decimal, char grouping, String dates, String yes, String no, String notation) {
        this.decimal = decimal;
        this.grouping = grouping;
        this.dates = DateTimeFormatter.ofPattern(dates, Locale.ROOT);
        this.yes = yes;
        this.no = no;
        this.notation = Pattern.compile(notation);
    }

    /** Returns the cell as the program saves it. */
    String saved(String cell) {
        String text = cell.strip();
        if (text.startsWith("=") || text.startsWith("@")) {
            return "#NAME?";
        }
        if (text.equalsIgnoreCase(yes) || text.equalsIgnoreCase(no)) {
            return text.toUpperCase(Locale.ROOT);
        }
        for (Pattern each : new Pattern[] {ISO, notation}) {
            Matcher date = each.matcher(text);
            if (date.matches()) {
                return date(date, cell);
            }
        }
        return number(text, cell);
    }

    private String date(Matcher found, String cell) {
        try {
            int year = found.group("year") == null ? THIS_YEAR : Integer.parseInt(found.group("year"));
            LocalDate date = LocalDate.of(
                    year < 100 ? CENTURY + year : year,
                    Integer.parseInt(found.group("month")),
                    Integer.parseInt(found.group("day")));
            return dates.format(date);
        } catch (DateTimeException e) {
            return cell;
        }
    }

    private String number(String text, String cell) {
        String digits = text.replace(String.valueOf(grouping), "").replace(decimal, '.');
        if (!digits.matches("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?")) {
            return cell;
        }
        BigDecimal value = new BigDecimal(digits).round(PRECISION).stripTrailingZeros();
        return value.precision() - value.scale() > PLAIN_DIGITS
                ? String.format(Locale.ROOT, "%.5E", value).replace('.', decimal)
                : value.toPlainString().replace('.', decimal);
    }
}
