package dev.numera.model;

import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/** A date as callers write it. */
public final class IsoDate {
    private static final int UNITS = 10;

    private IsoDate() {}

    /** @throws ProblemException {@code invalid-request} for that field if it is no date of the years 1 to 9999 */
    public static LocalDate parse(String field, String value) {
        try {
            LocalDate date = LocalDate.parse(value);
            if (value.length() == UNITS && date.getYear() > 0) {
                return date;
            }
        } catch (DateTimeParseException e) {
            // Falls through: no date is as wrong as one out of bounds.
        }
        throw InvalidRequest.because(field, "must be a date such as 2026-11-21, from 0001-01-01 to 9999-12-31");
    }
}
