package dev.numera.core.format;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.LocalDate;
import java.time.temporal.TemporalAmount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Searches for two dates in different periods that give the same number the same text. Writes the date parts of every
 * day of {@value #YEARS} calendar years, or only of the first day of every month if its other days have the same date
 * parts.
 *
 * <p>The result holds for all years. Dates with the same {@code {yyyy}}, {@code {gggg}} or {@code {fy}} are at most a
 * year apart, and any 28 years without a skipped leap year contain every kind of two successive years. They also
 * contain every kind of date for templates without a year. Only texts with {@code {yy}} or {@code {fy:2}} repeat after
 * 100 years, but dates are accepted within 100 years only. The search covers {@value #YEARS} calendar years, because
 * these contain dates of 100 fiscal years; the last fiscal year of a longer search would have the digits of the first.
 *
 * <p>Takes up to 10 ms if nothing repeats, so use it for definitions, not for allocations.
 */
final class RepetitionSearch {
    private static final int YEARS = 99;

    private final Format format;
    private final List<FormatPart.DateField> dateParts;
    private final FormatContext context;

    RepetitionSearch(Format format, List<FormatPart> parts, FormatContext context) {
        this.format = format;
        this.dateParts = parts.stream()
                .filter(FormatPart.DateField.class::isInstance)
                .map(FormatPart.DateField.class::cast)
                .distinct()
                .toList();
        this.context = context;
    }

    void requireNone(LocalDate today) {
        if (context.resetEvery() == ResetEvery.NEVER) {
            return;
        }
        Map<String, LocalDate> firstDates = new HashMap<>();
        LocalDate first = firstDate(today);
        LocalDate end = first.plusYears(YEARS);
        List<DateToken> tokens =
                dateParts.stream().map(FormatPart.DateField::token).toList();
        TemporalAmount step = DateToken.step(tokens, context.resetEvery(), context.fiscalYearStart());
        for (LocalDate date = first; date.isBefore(end); date = date.plus(step)) {
            LocalDate earlier = firstDates.putIfAbsent(dateText(date), date);
            if (earlier != null && !period(earlier).equals(period(date))) {
                throw repetition(earlier, date);
            }
        }
    }

    /**
     * Returns the first date of the search. The search ends a year before the last supported year, so that each of its
     * dates has a supported fiscal year.
     */
    private static LocalDate firstDate(LocalDate today) {
        int year = Math.max(FiscalYear.FIRST, Math.min(today.getYear(), FiscalYear.LAST - YEARS));
        return LocalDate.of(year, 1, 1);
    }

    private String dateText(LocalDate date) {
        StringBuilder text = new StringBuilder();
        for (FormatPart part : dateParts) {
            part.append(text, context, date, 0);
        }
        return text.toString();
    }

    private Period period(LocalDate date) {
        return Period.of(date, context.resetEvery(), context.fiscalYearStart());
    }

    private ProblemException repetition(LocalDate first, LocalDate second) {
        long number = Math.max(context.minValue(), Math.min(1, context.maxValue()));
        String text = format.text(context, first, number);
        return new ProblemException(
                ProblemType.TEXTS_COULD_REPEAT,
                "Texts could repeat: number " + number + " is '" + text + "' on " + first + " and again on " + second
                        + ", in another period: put " + remedy() + " into the format.",
                Map.of("examples", List.of(example(first, number), example(second, number))));
    }

    private Map<String, Object> example(LocalDate date, long number) {
        return Map.of(
                "date", date.toString(),
                "period", period(date).id(),
                "text", format.text(context, date, number));
    }

    private String remedy() {
        return switch (context.resetEvery()) {
            case NEVER -> throw new IllegalStateException("A sequence that is never reset has one period.");
            case YEAR -> context.fiscalYearStart().isNewYear() ? "{yyyy}" : "{fy}";
            case QUARTER -> context.fiscalYearStart().isNewYear() ? "{yyyy}{q}" : "{fy}{q}";
            case MONTH -> "{yyyy}{MM}";
            case DAY -> "{yyyy}{MM}{dd}";
        };
    }
}
