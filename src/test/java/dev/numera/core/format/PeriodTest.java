package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.RefusedField;
import java.time.LocalDate;
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
    @ValueSource(ints = {0, 13})
    void aFiscalYearBeginsInAMonth(int startMonth) {
        RefusedField refusal = RefusedField.fieldOf(() -> FiscalYear.lastDate(2026, startMonth));
        assertEquals("fiscalYearStart", refusal.field());
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21, NEVER, 1,  ''",
        "2026-11-21, YEAR,  1,  2026",
        "2026-11-21, MONTH, 1,  2026-11",
        "2026-11-21, DAY,   1,  2026-11-21",
        "2026-03-31, YEAR,  4,  2026",
        "2026-04-01, YEAR,  4,  2027",
        "2026-12-31, YEAR,  12, 2027",
        "2026-11-30, YEAR,  12, 2026",
        "2026-11-21, MONTH, 4,  2026-11",
        "0001-01-01, YEAR,  1,  0001",
        "0001-01-01, DAY,   4,  0001-01-01",
        "9999-12-31, DAY,   1,  9999-12-31",
    })
    void idOfADate(LocalDate date, ResetEvery resetEvery, int fiscalYearStart, String id) {
        assertEquals(id, Period.of(date, resetEvery, fiscalYearStart).id());
    }

    @ParameterizedTest
    @CsvSource({
        "2026,       YEAR,  1, 2026-01-01, 2026-12-31",
        "2026,       YEAR,  4, 2025-04-01, 2026-03-31",
        "2024,       YEAR,  3, 2023-03-01, 2024-02-29",
        "0001,       YEAR,  4, 0001-01-01, 0001-03-31",
        "9999,       YEAR,  4, 9998-04-01, 9999-03-31",
        "2024-02,    MONTH, 1, 2024-02-01, 2024-02-29",
        "2026-11-21, DAY,   4, 2026-11-21, 2026-11-21",
    })
    void endsOfAPeriod(String id, ResetEvery resetEvery, int fiscalYearStart, LocalDate first, LocalDate last) {
        assertEquals(id, Period.of(first, resetEvery, fiscalYearStart).id());
        assertEquals(id, Period.of(last, resetEvery, fiscalYearStart).id());
        if (!id.equals("0001")) {
            assertNotEquals(
                    id,
                    Period.of(first.minusDays(1), resetEvery, fiscalYearStart).id());
        }
        if (!id.equals("9999")) {
            assertNotEquals(
                    id, Period.of(last.plusDays(1), resetEvery, fiscalYearStart).id());
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
        "2026-01-01,  0, fiscalYearStart, from 1 to 12",
        "2026-01-01, 13, fiscalYearStart, from 1 to 12",
    })
    void refusesYearsBeyondFourDigits(LocalDate date, int fiscalYearStart, String field, String reason) {
        RefusedField refusal = RefusedField.fieldOf(() -> Period.of(date, ResetEvery.YEAR, fiscalYearStart));
        assertEquals(field, refusal.field());
        assertTrue(refusal.reason().contains(reason), refusal.reason());
    }

    @Property(tries = 500)
    void aPeriodHoldsItsDatesAndNoOthers(
            @ForAll("dates") LocalDate date,
            @ForAll ResetEvery resetEvery,
            @ForAll @IntRange(min = 1, max = 12) int start) {
        Period period = Period.of(date, resetEvery, start);
        assertEquals(period, new Period(period.id()));
        if (resetEvery == ResetEvery.NEVER) {
            assertEquals(Period.ALWAYS, period);
            return;
        }
        LocalDate firstOfMonth = date.withDayOfMonth(1);
        LocalDate first =
                switch (resetEvery) {
                    case YEAR -> firstOfMonth.minusMonths(Math.floorMod(date.getMonthValue() - start, 12));
                    case MONTH -> firstOfMonth;
                    default -> date;
                };
        LocalDate next =
                switch (resetEvery) {
                    case YEAR -> first.plusYears(1);
                    case MONTH -> first.plusMonths(1);
                    default -> first.plusDays(1);
                };
        assertEquals(period, Period.of(first, resetEvery, start));
        assertEquals(period, Period.of(next.minusDays(1), resetEvery, start));
        assertTrue(Period.of(first.minusDays(1), resetEvery, start).id().compareTo(period.id()) < 0);
        assertTrue(Period.of(next, resetEvery, start).id().compareTo(period.id()) > 0);
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
