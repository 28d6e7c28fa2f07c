package dev.numera.core.format;

import dev.numera.core.problem.InvalidRequest;
import java.time.LocalDate;
import java.util.Optional;

/**
 * The first day of a fiscal year, in every year. Days after the 28th are refused, so that each year and each quarter
 * starts on the same day of a month. Immutable.
 *
 * @param month 1 to 12
 * @param day 1 to {@value #MAX_DAY}
 */
public record YearStart(int month, int day) {
    /** The first of January, so that fiscal years are calendar years. */
    public static final YearStart NEW_YEAR = new YearStart(1, 1);

    /** The last day of every month. */
    public static final int MAX_DAY = 28;

    private static final int UNITS = "MM-dd".length();

    /** @throws dev.numera.core.problem.ProblemException {@code invalid-request} for field {@code fiscalYearStart} */
    public YearStart {
        if (month < 1 || month > 12 || day < 1 || day > MAX_DAY) {
            throw InvalidRequest.because(
                    "fiscalYearStart",
                    month + (day == 1 ? " is not a month" : "-" + day + " is not a day of a year")
                            + ": use a number from 1 to 12, or a month and a day such as 04-06, with a day from 01 to "
                            + MAX_DAY);
        }
    }

    /** Returns the first day of a month. */
    public static YearStart ofMonth(int month) {
        return new YearStart(month, 1);
    }

    /** Returns the day of a text such as {@code 04-06}; empty if the text is no such day. */
    public static Optional<YearStart> of(String text) {
        if (text.length() != UNITS || text.charAt(2) != '-') {
            return Optional.empty();
        }
        for (int at : new int[] {0, 1, 3, 4}) {
            if (!ZeroPadded.isDigit(text.charAt(at))) {
                return Optional.empty();
            }
        }
        int month = Integer.parseInt(text, 0, 2, 10);
        int day = Integer.parseInt(text, 3, UNITS, 10);
        boolean isDay = month >= 1 && month <= 12 && day >= 1 && day <= MAX_DAY;
        return isDay ? Optional.of(new YearStart(month, day)) : Optional.empty();
    }

    /** Whether fiscal years are calendar years. */
    public boolean isNewYear() {
        return month == 1 && day == 1;
    }

    /** Whether fiscal years start on the first day of a month. */
    public boolean isFirstOfMonth() {
        return day == 1;
    }

    /** Whether a date is before this day in its calendar year. */
    boolean isAfter(LocalDate date) {
        return date.getMonthValue() < month || date.getMonthValue() == month && date.getDayOfMonth() < day;
    }

    /** Returns the quarter of the fiscal year, from 1 to 4, that a date belongs to. */
    int quarterOf(LocalDate date) {
        int months = date.getMonthValue() - month - (date.getDayOfMonth() < day ? 1 : 0);
        return Math.floorMod(months, 12) / 3 + 1;
    }

    LocalDate in(int calendarYear) {
        return LocalDate.of(calendarYear, month, day);
    }

    /** Returns this day as owners write it: {@code 4} for the first of April, {@code 04-06} for the sixth. */
    @Override
    public String toString() {
        if (isFirstOfMonth()) {
            return Integer.toString(month);
        }
        StringBuilder text = new StringBuilder(UNITS);
        ZeroPadded.append(text, month, 2);
        ZeroPadded.append(text.append('-'), day, 2);
        return text.toString();
    }
}
