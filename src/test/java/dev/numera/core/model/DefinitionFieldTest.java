package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.core.format.YearStart;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionFieldTest {
    /** An owner that sends {@code "04"} as the month gets the list of valid numbers, not the type in storage. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fiscalYearStart | a whole number from 1 to 12, or a month and a day from 01 to 28, such as 04-06",
                "warnAtPercent   | a whole number from 1 to 100",
                "maxLength       | a whole number from 1 to 255",
                "cacheSize       | a whole number from 1 to 1,000,000",
                "increment       | a whole number within 10^12 either way, but not 0",
                "start           | a whole number within 4*10^18 either way",
                "minValue        | a whole number within 4*10^18 either way",
                "cycle           | true or false",
                "format          | a string",
                "resetEvery      | one of never, year, quarter, month, day",
            })
    void kindsAreTheValuesThatAreAccepted(String name, String kind) {
        assertEquals(
                kind,
                DefinitionField.ALL.stream()
                        .filter(field -> field.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .kind());
    }

    @Test
    void aTextIsNoNumber() {
        assertEquals(Optional.empty(), DefinitionField.FISCAL_YEAR_START.value("04"));
        assertEquals(Optional.empty(), DefinitionField.FISCAL_YEAR_START.value(1L << 32));
        assertEquals(Optional.of(YearStart.ofMonth(4)), DefinitionField.FISCAL_YEAR_START.value(4L));
        assertEquals(Optional.of(YearStart.ofMonth(4)), DefinitionField.FISCAL_YEAR_START.value("04-01"));
        assertEquals(Optional.of(new YearStart(4, 6)), DefinitionField.FISCAL_YEAR_START.value("04-06"));
        assertEquals(Optional.empty(), DefinitionField.FISCAL_YEAR_START.value("04-29"));
    }
}
