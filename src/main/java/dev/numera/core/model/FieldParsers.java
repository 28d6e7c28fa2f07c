package dev.numera.core.model;

import dev.numera.core.problem.InvalidRequest;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Dates and numbers as callers write them. Methods that take the name of a field throw {@code invalid-request} for it.
 */
public final class FieldParsers {
    private static final int DATE_UNITS = 10;
    /** What matches fits 64 bits; nineteen digits that begin with 9 are too many anyway. */
    private static final Pattern DIGITS = Pattern.compile("-?[0-8]?[0-9]{1,18}");

    private FieldParsers() {}

    /** A date of the years 1 to 9999, such as 2026-11-21. */
    public static LocalDate date(String field, String value) {
        try {
            LocalDate date = LocalDate.parse(value);
            if (value.length() == DATE_UNITS && date.getYear() > 0) {
                return date;
            }
        } catch (DateTimeParseException e) {
            // Falls through: no date is as wrong as one out of bounds.
        }
        throw InvalidRequest.because(field, "must be a date such as 2026-11-21, from 0001-01-01 to 9999-12-31");
    }

    /** A whole number within 4*10^18 either way. */
    public static long wholeNumber(String field, String value) {
        return wholeNumber(field, wholeNumber(value));
    }

    /** The whole number within 4*10^18 either way that a text is; empty where it is none. */
    public static OptionalLong wholeNumber(String text) {
        OptionalLong number =
                DIGITS.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        return number.stream().filter(Series::isBounded).findFirst();
    }

    /** As the other, of what was read already: nothing where it is no whole number of 64 bits. */
    public static long wholeNumber(String field, OptionalLong number) {
        if (number.isPresent() && Series.isBounded(number.getAsLong())) {
            return number.getAsLong();
        }
        throw InvalidRequest.because(field, "must be a whole number within 4*10^18 either way");
    }
}
