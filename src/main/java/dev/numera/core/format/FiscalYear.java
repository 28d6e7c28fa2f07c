package dev.numera.core.format;

import dev.numera.core.problem.InvalidRequest;
import java.time.LocalDate;

/**
 * Computes fiscal years, which are named after the calendar year of their last day. With start month 4, 2026-03-31 lies
 * in 2026, and 2026-04-01 in 2027. With start month 1, the fiscal year is the calendar year.
 *
 * <p>Years always have four digits, so both the calendar year and the fiscal year of a date must lie within
 * {@value #FIRST} to {@value #LAST}. Every function refuses other dates with {@code invalid-request} for field
 * {@code date}, and a start month outside 1 to 12 with {@code invalid-request} for field {@code fiscalYearStart}. Pure
 * functions.
 */
public final class FiscalYear {
    public static final int FIRST = 1;
    public static final int LAST = 9999;

    private FiscalYear() {}

    public static int of(LocalDate date, int startMonth) {
        requireStartMonth(startMonth);
        boolean endsNextYear = startMonth > 1 && date.getMonthValue() >= startMonth;
        int year = endsNextYear ? date.getYear() + 1 : date.getYear();
        if (date.getYear() < FIRST || year > LAST) {
            throw InvalidRequest.because(
                    "date", date + " is not supported: use a date from 0001-01-01 to " + lastDate(LAST, startMonth));
        }
        return year;
    }

    public static LocalDate lastDate(int year, int startMonth) {
        return beginning(year, startMonth).plusYears(1).minusDays(1);
    }

    static void requireSupported(LocalDate date, int startMonth) {
        of(date, startMonth);
    }

    static void requireStartMonth(int startMonth) {
        if (startMonth < 1 || startMonth > 12) {
            throw InvalidRequest.because("fiscalYearStart", startMonth + " is not a month: use a number from 1 to 12");
        }
    }

    private static LocalDate beginning(int year, int startMonth) {
        requireStartMonth(startMonth);
        return LocalDate.of(startMonth > 1 ? year - 1 : year, startMonth, 1);
    }
}
