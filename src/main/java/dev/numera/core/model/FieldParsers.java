package dev.numera.core.model;

import dev.numera.core.problem.InvalidRequest;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Parses dates and numbers that callers sent. Methods with the name of a field throw {@code invalid-request} for that
 * field.
 */
public final class FieldParsers {
    private static final int DATE_UNITS = 10;
    /**
     * Matches only numbers that fit 64 bits. Numbers with 19 digits that start with 9 do not match; they are out of
     * bounds anyway.
     */
    private static final Pattern DIGITS = Pattern.compile("-?[0-8]?[0-9]{1,18}");

    private FieldParsers() {}

    /** Returns a date of the years 1 to 9999, such as 2026-11-21. */
    public static LocalDate date(String field, String value) {
        try {
            LocalDate date = LocalDate.parse(value);
            if (value.length() == DATE_UNITS && date.getYear() > 0) {
                return date;
            }
        } catch (DateTimeParseException e) {
            // A text that is no date is refused below, like a date out of bounds.
        }
        throw InvalidRequest.because(field, "must be a date such as 2026-11-21, from 0001-01-01 to 9999-12-31");
    }

    /** Returns a whole number within 4*10^18 either way. */
    public static long wholeNumber(String field, String value) {
        return wholeNumber(field, wholeNumber(value));
    }

    /** Returns the whole number that a text contains; empty if it contains none within 4*10^18 either way. */
    public static OptionalLong wholeNumber(String text) {
        OptionalLong number =
                DIGITS.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        return number.stream().filter(Series::isBounded).findFirst();
    }

    /**
     * Returns a number that was already read, if it is within 4*10^18 either way. An empty number was not a whole
     * number of 64 bits and is refused too.
     */
    public static long wholeNumber(String field, OptionalLong number) {
        if (number.isPresent() && Series.isBounded(number.getAsLong())) {
            return number.getAsLong();
        }
        throw InvalidRequest.because(field, "must be a whole number within 4*10^18 either way");
    }
}
