package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.RefusedField;
import java.time.LocalDate;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "13, 1", "4, 0", "4, 29", "2, -1"})
    void aFiscalYearStartsOnADayThatEveryMonthHas(int month, int day) {
        assertEquals(
                "fiscalYearStart",
                RefusedField.fieldOf(() -> new YearStart(month, day)).field());
    }

    @ParameterizedTest
    @CsvSource({"04-06, 4, 6", "03-16, 3, 16", "12-28, 12, 28", "01-01, 1, 1"})
    void aDayOfTheYearIsRead(String text, int month, int day) {
        assertEquals(Optional.of(new YearStart(month, day)), YearStart.of(text));
        assertEquals(day == 1 ? "" + month : text, new YearStart(month, day).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "4",
                "04",
                "4-6",
                "04-29",
                "13-01",
                "00-10",
                "04-00",
                "04/06",
                "04-06 ",
                "٠4-06",
                "2026-04-06"
            })
    void anythingElseIsNoDayOfTheYear(String text) {
        assertEquals(Optional.empty(), YearStart.of(text));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21, NEVER, 1,  ''",
        "2026-11-21, YEAR,  1,  2026",
        "2026-11-21, MONTH, 1,  2026-11",
        "2026-11-21, DAY,   1,  2026-11-21",
        "2026-03-31, YEAR,  4,  2026",
        "2026-04-01, YEAR,  4,  2027",
        "2026-04-05, YEAR,  04-06, 2026",
        "2026-04-06, YEAR,  04-06, 2027",
        "2026-01-01, YEAR,  01-02, 2026",
        "2026-01-02, YEAR,  01-02, 2027",
        "2026-03-31, QUARTER, 1, 2026-Q1",
        "2026-04-01, QUARTER, 1, 2026-Q2",
        "2026-12-31, QUARTER, 1, 2026-Q4",
        "2026-04-01, QUARTER, 4, 2027-Q1",
        "2026-03-31, QUARTER, 4, 2026-Q4",
        "2026-01-31, QUARTER, 11, 2026-Q1",
        "2026-02-01, QUARTER, 11, 2026-Q2",
        "2026-04-05, QUARTER, 04-06, 2026-Q4",
        "2026-04-06, QUARTER, 04-06, 2027-Q1",
        "2026-07-05, QUARTER, 04-06, 2027-Q1",
        "2026-07-06, QUARTER, 04-06, 2027-Q2",
        "2026-04-05, MONTH, 04-06, 2026-04",
        "2026-12-31, YEAR,  12, 2027",
        "2026-11-30, YEAR,  12, 2026",
        "2026-11-21, MONTH, 4,  2026-11",
        "0001-01-01, YEAR,  1,  0001",
        "0001-01-01, DAY,   4,  0001-01-01",
        "9999-12-31, DAY,   1,  9999-12-31",
    })
    void idOfADate(LocalDate date, ResetEvery resetEvery, String fiscalYearStart, String id) {
        assertEquals(id, Period.of(date, resetEvery, start(fiscalYearStart)).id());
    }

    @ParameterizedTest
    @CsvSource({
        "2026,       YEAR,  1, 2026-01-01, 2026-12-31",
        "2026,       YEAR,  4, 2025-04-01, 2026-03-31",
        "2024,       YEAR,  3, 2023-03-01, 2024-02-29",
        "0001,       YEAR,  4, 0001-01-01, 0001-03-31",
        "9999,       YEAR,  4, 9998-04-01, 9999-03-31",
        "2027,       YEAR,  04-06, 2026-04-06, 2027-04-05",
        "2027,       YEAR,  03-16, 2026-03-16, 2027-03-15",
        "2024-Q4,    QUARTER, 3, 2023-12-01, 2024-02-29",
        "2027-Q4,    QUARTER, 04-06, 2027-01-06, 2027-04-05",
        "2024-02,    MONTH, 1, 2024-02-01, 2024-02-29",
        "2026-11-21, DAY,   4, 2026-11-21, 2026-11-21",
    })
    void endsOfAPeriod(String id, ResetEvery resetEvery, String fiscalYearStart, LocalDate first, LocalDate last) {
        assertEquals(id, Period.of(first, resetEvery, start(fiscalYearStart)).id());
        assertEquals(id, Period.of(last, resetEvery, start(fiscalYearStart)).id());
        if (!id.equals("0001")) {
            assertNotEquals(
                    id,
                    Period.of(first.minusDays(1), resetEvery, start(fiscalYearStart))
                            .id());
        }
        if (!id.equals("9999")) {
            assertNotEquals(
                    id,
                    Period.of(last.plusDays(1), resetEvery, start(fiscalYearStart))
                            .id());
        }
    }

    @Test
    void theOnlyPeriodHasNoId() {
        assertEquals(Period.ALWAYS, new Period(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "0000",
                "202",
                "20261",
                "-026",
                "2O26",
                "2026-1",
                "2026-13",
                "2026-00",
                "2026/11",
                "0000-01",
                "2026-Q0",
                "2026-Q5",
                "0000-Q1",
                "2026-q1",
                "2026_Q1",
                "2026-Q",
                "2026-02-30",
                "2023-02-29",
                "2026-11-00",
                "2026-11-21 ",
                "0000-12-31",
                "+2026-01-01",
                "٢٠٢٦"
            })
    void anythingElseIsNoPeriod(String id) {
        assertThrows(IllegalArgumentException.class, () -> new Period(id));
    }

    @ParameterizedTest
    @CsvSource({
        "0000-12-31,  1, date,            0001-01-01 to 9999-12-31",
        "+10000-01-01, 1, date,           0001-01-01 to 9999-12-31",
        "9999-04-01,  4, date,            0001-01-01 to 9999-03-31",
    })
    void refusesYearsBeyondFourDigits(LocalDate date, int fiscalYearStart, String field, String reason) {
        YearStart start = YearStart.ofMonth(fiscalYearStart);
        RefusedField refusal = RefusedField.fieldOf(() -> Period.of(date, ResetEvery.YEAR, start));
        assertEquals(field, refusal.field());
        assertTrue(refusal.reason().contains(reason), refusal.reason());
    }

    /** Walks from the start of the fiscal year instead of computing with months, as the app does. */
    @Property(tries = 500)
    void aPeriodHoldsItsDatesAndNoOthers(
            @ForAll("dates") LocalDate date,
            @ForAll ResetEvery resetEvery,
            @ForAll @IntRange(min = 1, max = 12) int month,
            @ForAll @IntRange(min = 1, max = 28) int day) {
        YearStart start = new YearStart(month, day);
        Period period = Period.of(date, resetEvery, start);
        assertEquals(period, new Period(period.id()));
        if (resetEvery == ResetEvery.NEVER) {
            assertEquals(Period.ALWAYS, period);
            return;
        }
        int months =
                switch (resetEvery) {
                    case YEAR -> 12;
                    case QUARTER -> 3;
                    default -> 1;
                };
        boolean isFiscal = months > 1;
        LocalDate first = resetEvery == ResetEvery.DAY
                ? date
                : LocalDate.of(date.getYear() - 1, isFiscal ? month : 1, isFiscal ? day : 1);
        while (resetEvery != ResetEvery.DAY && !first.plusMonths(months).isAfter(date)) {
            first = first.plusMonths(months);
        }
        LocalDate next = resetEvery == ResetEvery.DAY ? first.plusDays(1) : first.plusMonths(months);
        assertEquals(period, Period.of(first, resetEvery, start));
        assertEquals(period, Period.of(next.minusDays(1), resetEvery, start));
        assertTrue(Period.of(first.minusDays(1), resetEvery, start).id().compareTo(period.id()) < 0);
        assertTrue(Period.of(next, resetEvery, start).id().compareTo(period.id()) > 0);
    }

    private static YearStart start(String text) {
        return YearStart.of(text).orElseGet(() -> YearStart.ofMonth(Integer.parseInt(text)));
    }

    @Provide
    Arbitrary<LocalDate> dates() {
        return Arbitraries.longs()
                .between(
                        LocalDate.of(3, 1, 1).toEpochDay(),
                        LocalDate.of(9997, 12, 31).toEpochDay())
                .map(LocalDate::ofEpochDay);
    }
}
