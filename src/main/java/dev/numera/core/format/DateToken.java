package dev.numera.core.format;

import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A token for a part of the date. Its text is a zero-padded number with a fixed number of digits. */
enum DateToken {
    YEAR("yyyy", 4, 1, 9999, "a year"),
    YEAR_OF_CENTURY("yy", 2, 0, 99, "the last two digits of a year"),
    MONTH("MM", 2, 1, 12, "a month"),
    DAY("dd", 2, 1, 31, "a day of the month"),
    DAY_OF_YEAR("DDD", 3, 1, 366, "a day of the year"),
    WEEK("ww", 2, 1, 53, "an ISO week"),
    WEEK_YEAR("gggg", 4, 1, 9999, "the year of an ISO week"),
    QUARTER("q", 1, 1, 4, "a quarter of the fiscal year"),
    FISCAL_YEAR("fy", 4, 1, 9999, "a fiscal year"),
    FISCAL_YEAR_OF_CENTURY("fy:2", 2, 0, 99, "the last two digits of a fiscal year"),
    /** The first half of the text of {@code {fy:2-2}}. The second half is {@link #FISCAL_YEAR_OF_CENTURY}. */
    FISCAL_YEAR_BEGINNING("fy:2-2", 2, 0, 99, "the last two digits of the year in which a fiscal year begins");

    private static final Map<String, DateToken> BY_TOKEN =
            Stream.of(values()).collect(Collectors.toMap(DateToken::token, Function.identity()));

    private final String token;
    private final int length;
    private final int least;
    private final int greatest;
    private final String meaning;

    DateToken(String token, int length, int least, int greatest, String meaning) {
        this.token = token;
        this.length = length;
        this.least = least;
        this.greatest = greatest;
        this.meaning = meaning;
    }

    /** Returns the date part that templates write as this token; null if there is none. */
    static @Nullable DateToken of(String token) {
        return BY_TOKEN.get(token);
    }

    String token() {
        return token;
    }

    int length() {
        return length;
    }

    /** Returns the meaning and the bounds of this date part, for an error message. */
    String expectation() {
        StringBuilder text = new StringBuilder(meaning).append(" from ");
        ZeroPadded.append(text, least, length);
        ZeroPadded.append(text.append(" to "), greatest, length);
        return text.toString();
    }

    boolean contains(int value) {
        return value >= least && value <= greatest;
    }

    /**
     * Returns the step of a search through dates from a first of January on: a month if the tokens and the period are
     * the same on all days of a month, otherwise a day.
     */
    static java.time.Period step(Collection<DateToken> tokens, ResetEvery resetEvery, YearStart fiscalYearStart) {
        boolean isWholeMonths = resetEvery != ResetEvery.DAY && fiscalYearStart.isFirstOfMonth();
        return isWholeMonths && tokens.stream().allMatch(DateToken::isConstantInAMonth)
                ? java.time.Period.ofMonths(1)
                : java.time.Period.ofDays(1);
    }

    private boolean isConstantInAMonth() {
        return switch (this) {
            case YEAR, YEAR_OF_CENTURY, MONTH, QUARTER, FISCAL_YEAR, FISCAL_YEAR_OF_CENTURY, FISCAL_YEAR_BEGINNING ->
                true;
            case DAY, DAY_OF_YEAR, WEEK, WEEK_YEAR -> false;
        };
    }

    int valueOn(LocalDate date, YearStart fiscalYearStart) {
        return switch (this) {
            case YEAR -> date.getYear();
            case YEAR_OF_CENTURY -> date.getYear() % 100;
            case MONTH -> date.getMonthValue();
            case DAY -> date.getDayOfMonth();
            case DAY_OF_YEAR -> date.getDayOfYear();
            case WEEK -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case WEEK_YEAR -> date.get(IsoFields.WEEK_BASED_YEAR);
            case QUARTER -> fiscalYearStart.quarterOf(date);
            case FISCAL_YEAR -> FiscalYear.of(date, fiscalYearStart);
            case FISCAL_YEAR_OF_CENTURY -> FiscalYear.of(date, fiscalYearStart) % 100;
            case FISCAL_YEAR_BEGINNING -> (FiscalYear.of(date, fiscalYearStart) - 1) % 100;
        };
    }
}
