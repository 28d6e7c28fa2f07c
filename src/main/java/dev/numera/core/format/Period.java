package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import java.time.LocalDate;
import java.time.YearMonth;

/**
 * A range of days with a counter of its own. Its id is empty for the single period of a sequence that is never reset,
 * {@code 2026} for a fiscal year (the year when it ends), {@code 2026-Q3} for its third quarter, {@code 2026-11} for a
 * month, and {@code 2026-11-21} for a day. Within one sequence, ids sort in the order of time. {@link FiscalYear}
 * defines the supported dates.
 *
 * @param id never null; other texts than these are refused with an {@link IllegalArgumentException}
 */
public record Period(String id) {
    /** The period of a sequence that is never reset. */
    public static final Period ALWAYS = new Period("");

    private static final String SHAPE = "0000-00-00";

    public Period {
        if (!isValid(id)) {
            throw new IllegalArgumentException(
                    "'" + id
                            + "' is not a period: use '' for none, a year (2026), a quarter (2026-Q3), a month (2026-11) or a day (2026-11-21).");
        }
    }

    /**
     * Returns the period that a date belongs to.
     *
     * @param fiscalYearStart moves {@link ResetEvery#YEAR} and {@link ResetEvery#QUARTER} only
     * @throws ProblemException {@code invalid-request} for field {@code date} if it is not supported
     */
    public static Period of(LocalDate date, ResetEvery resetEvery, YearStart fiscalYearStart) {
        int fiscalYear = FiscalYear.of(date, fiscalYearStart);
        return switch (resetEvery) {
            case NEVER -> ALWAYS;
            case YEAR -> new Period(fourDigits(fiscalYear));
            case QUARTER -> new Period(fourDigits(fiscalYear) + "-Q" + fiscalYearStart.quarterOf(date));
            case MONTH -> new Period(YearMonth.from(date).toString());
            case DAY -> new Period(date.toString());
        };
    }

    @Override
    public String toString() {
        return id;
    }

    private static boolean isValid(String id) {
        return switch (id.length()) {
            case 0 -> true;
            case 4, 7, 10 -> isQuarter(id) || hasShape(id) && isSupportedDay(id);
            default -> false;
        };
    }

    private static boolean isQuarter(String id) {
        return id.length() == 7
                && id.charAt(5) == 'Q'
                && id.charAt(6) >= '1'
                && id.charAt(6) <= '4'
                && isValid(id.substring(0, 4))
                && id.charAt(4) == '-';
    }

    private static boolean hasShape(String id) {
        for (int at = 0; at < id.length(); at++) {
            boolean isDigit = id.charAt(at) >= '0' && id.charAt(at) <= '9';
            if (SHAPE.charAt(at) == '-' ? id.charAt(at) != '-' : !isDigit) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the digits are a supported date. Parses them without a date formatter, which is slower: each allocation
     * creates a period, and each change of a format creates thousands.
     */
    private static boolean isSupportedDay(String id) {
        int year = Integer.parseInt(id, 0, 4, 10);
        int month = id.length() > 4 ? Integer.parseInt(id, 5, 7, 10) : 1;
        int day = id.length() > 7 ? Integer.parseInt(id, 8, 10, 10) : 1;
        return year >= FiscalYear.FIRST
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= YearMonth.of(year, month).lengthOfMonth();
    }

    private static String fourDigits(int year) {
        StringBuilder digits = new StringBuilder(4);
        ZeroPadded.append(digits, year, 4);
        return digits.toString();
    }
}
