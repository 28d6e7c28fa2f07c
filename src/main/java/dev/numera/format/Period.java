package dev.numera.format;

import dev.numera.problem.ProblemException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeParseException;

/**
 * A stretch of days with a counter of its own, known by its id: empty for the one period of a sequence that is never
 * reset, {@code 2026} for a fiscal year (named after the year in which it ends), {@code 2026-11} for a month,
 * {@code 2026-11-21} for a day. Within one sequence the ids' text order is the order of time. Dates are bounded as
 * {@link FiscalYear} says.
 *
 * @param id never null; any other text than the above is refused with an {@link IllegalArgumentException}
 */
public record Period(String id) {
    /** The period of a sequence that is never reset. */
    public static final Period ALWAYS = new Period("");

    private static final String FIRST_DAY = "yyyy-01-01";

    public Period {
        if (!isValid(id)) {
            throw new IllegalArgumentException("'" + id
                    + "' is not a period: use '' for none, a year (2026), a month (2026-11) or a day (2026-11-21).");
        }
    }

    /**
     * The period that a date belongs to.
     *
     * @param fiscalYearStart month 1 to 12; moves {@link ResetEvery#YEAR} only
     * @throws ProblemException {@code invalid-request} for field {@code date} if it is not supported
     */
    public static Period of(LocalDate date, ResetEvery resetEvery, int fiscalYearStart) {
        int fiscalYear = FiscalYear.of(date, fiscalYearStart);
        return switch (resetEvery) {
            case NEVER -> ALWAYS;
            case YEAR -> new Period(fourDigits(fiscalYear));
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
            case 4, 7, 10 -> isSupportedDay(id);
            default -> false;
        };
    }

    private static boolean isSupportedDay(String id) {
        try {
            return LocalDate.parse(id + FIRST_DAY.substring(id.length())).getYear() >= FiscalYear.FIRST;
        } catch (DateTimeParseException notADay) {
            return false;
        }
    }

    private static String fourDigits(int year) {
        StringBuilder digits = new StringBuilder(4);
        ZeroPadded.append(digits, year, 4);
        return digits.toString();
    }
}
