package dev.numera.core.format;

import dev.numera.core.problem.InvalidRequest;
import java.time.LocalDate;

/**
 * Computes fiscal years, which are named after the calendar year of their last day. If they start on 1 April,
 * 2026-03-31 lies in 2026, and 2026-04-01 in 2027. If they start on 1 January, the fiscal year is the calendar year.
 *
 * <p>Years always have four digits, so both the calendar year and the fiscal year of a date must lie within
 * {@value #FIRST} to {@value #LAST}. Every function refuses other dates with {@code invalid-request} for field
 * {@code date}. Pure functions.
 */
public final class FiscalYear {
    public static final int FIRST = 1;
    public static final int LAST = 9999;

    private FiscalYear() {}

    public static int of(LocalDate date, YearStart start) {
        requireSupported(date, start);
        return endYear(date, start);
    }

    public static LocalDate lastDate(int year, YearStart start) {
        return start.in(start.isNewYear() ? year : year - 1).plusYears(1).minusDays(1);
    }

    static void requireSupported(LocalDate date, YearStart start) {
        if (date.getYear() < FIRST || endYear(date, start) > LAST) {
            throw InvalidRequest.because(
                    "date", date + " is not supported: use a date from 0001-01-01 to " + lastDate(LAST, start));
        }
    }

    private static int endYear(LocalDate date, YearStart start) {
        boolean endsNextYear = !start.isNewYear() && !start.isAfter(date);
        return endsNextYear ? date.getYear() + 1 : date.getYear();
    }
}
