package dev.numera.core.format;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds the periods that a text may belong to. Compares the date parts of the text with every possible date, so that no
 * combination of tokens needs a rule of its own, and contradictory date parts match no date. Compares at most 28 years
 * of days, and at most three years if the text shows a year.
 */
final class DateSearch {
    /**
     * Any 28 years without a skipped leap year contain every kind of year: each weekday of the first of January, in
     * leap years and common years, after leap years and common years.
     */
    private static final int ANY_FIRST_YEAR = 2000;

    private static final int ANY_LAST_YEAR = 2027;

    private final Map<DateToken, Integer> fields;
    private final FormatContext context;
    private final LocalDate lastDate;

    /** @param lastDate a date in the last of the 100 years that {@code {yy}} or {@code {fy:2}} can mean */
    DateSearch(Map<DateToken, Integer> fields, FormatContext context, LocalDate lastDate) {
        this.fields = fields;
        this.context = context;
        this.lastDate = supported(lastDate, context.fiscalYearStart());
    }

    /**
     * Returns the period of the dates with these parts: none if no date has them, and two if they match several
     * periods.
     */
    List<Period> periods() {
        int enough = context.resetEvery() == ResetEvery.NEVER ? 1 : 2;
        return candidates()
                .filter(this::matches)
                .map(date -> Period.of(date, context.resetEvery(), context.fiscalYearStart()))
                .distinct()
                .limit(enough)
                .toList();
    }

    private boolean matches(LocalDate date) {
        for (Map.Entry<DateToken, Integer> field : fields.entrySet()) {
            if (field.getKey().valueOn(date, context.fiscalYearStart()) != field.getValue()) {
                return false;
            }
        }
        return true;
    }

    private Stream<LocalDate> candidates() {
        Integer year = fields.get(DateToken.YEAR);
        Integer weekYear = fields.get(DateToken.WEEK_YEAR);
        Integer fiscalYear = fields.get(DateToken.FISCAL_YEAR);
        Integer yearOfCentury = fields.get(DateToken.YEAR_OF_CENTURY);
        Integer fiscalYearOfCentury = fields.get(DateToken.FISCAL_YEAR_OF_CENTURY);
        if (year != null) {
            return days(year, year);
        }
        if (weekYear != null) {
            return days(weekYear - 1, weekYear + 1);
        }
        if (fiscalYear != null) {
            return days(fiscalYear - 1, fiscalYear);
        }
        if (yearOfCentury != null) {
            int only = yearOf(yearOfCentury, lastDate.getYear());
            return ofTheCentury(days(only, only));
        }
        if (fiscalYearOfCentury != null) {
            int ending = yearOf(fiscalYearOfCentury, FiscalYear.of(lastDate, context.fiscalYearStart()));
            return ofTheCentury(days(ending - 1, ending));
        }
        return days(ANY_FIRST_YEAR, ANY_LAST_YEAR);
    }

    /**
     * Keeps the dates that a two-digit year can mean: those within the last 100 calendar years and the last 100 fiscal
     * years.
     */
    private Stream<LocalDate> ofTheCentury(Stream<LocalDate> dates) {
        LocalDate first = LocalDate.of(Math.max(FiscalYear.FIRST, lastDate.getYear() - 99), 1, 1);
        int lastYear = Math.max(FiscalYear.FIRST + 99, FiscalYear.of(lastDate, context.fiscalYearStart()));
        LocalDate last = FiscalYear.lastDate(lastYear, context.fiscalYearStart());
        return dates.filter(date -> !date.isBefore(first) && !date.isAfter(last));
    }

    private static int yearOf(int yearOfCentury, int lastYear) {
        int first = Math.max(FiscalYear.FIRST, lastYear - 99);
        return first + Math.floorMod(yearOfCentury - first, 100);
    }

    private static LocalDate supported(LocalDate date, YearStart fiscalYearStart) {
        LocalDate last = FiscalYear.lastDate(FiscalYear.LAST, fiscalYearStart);
        return date.isAfter(last) ? last : date;
    }

    /**
     * Returns the supported days of whole calendar years. Returns only the first day of each month if the other days
     * have the same date parts and period.
     */
    private Stream<LocalDate> days(int firstYear, int lastYear) {
        LocalDate first = LocalDate.of(Math.max(firstYear, FiscalYear.FIRST), 1, 1);
        LocalDate last = supported(LocalDate.of(lastYear, 12, 31), context.fiscalYearStart());
        return first.datesUntil(
                last.plusDays(1), DateToken.step(fields.keySet(), context.resetEvery(), context.fiscalYearStart()));
    }
}
