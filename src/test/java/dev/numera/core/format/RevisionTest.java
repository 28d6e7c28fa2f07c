package dev.numera.core.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionTest {
    @ParameterizedTest
    @CsvSource({"2, 1, 9", "1, 10, 9", "-4000000000000000001, 1, 9", "1, 1, 4000000000000000001"})
    void anImpossibleRangeIsRefused(long least, long greatest, long maxValue) {
        assertThrows(IllegalArgumentException.class, () -> new Revision("{n}", least, greatest, maxValue));
    }

    @ParameterizedTest
    @CsvSource({"-4000000000000000000, 4000000000000000000", "5, 5"})
    void theWidestRangeAndOneNumberAreRanges(long least, long greatest) {
        assertEquals(greatest, new Revision("{n}", least, greatest, greatest).greatest());
    }

    @ParameterizedTest
    @CsvSource({"4, false", "5, true", "9, true", "10, false"})
    void holdsTheNumbersOfItsRange(long number, boolean expected) {
        assertEquals(expected, new Revision("{n}", 5, 9, 99).holds(number));
    }
}
