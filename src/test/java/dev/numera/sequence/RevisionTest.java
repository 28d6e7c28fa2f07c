package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.counter.Series;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionTest {
    @ParameterizedTest
    @CsvSource({
        "1,              1,   99999999,            5,                    10000005",
        "10,             1,   999999999,           11,                   100000011",
        "1,              1,   9999,                5,                    9999",
        "1,              1,   10000005,            5,                    10000005",
        "1,              1,   10000004,            5,                    10000004",
        "1,              1,   9999,                9999,                 9999",
        "1,              1,   9999,                10000,                9999",
        "7,              1,   9999,                10006,                9999",
        "-1,             -99999999, 99,            5,                    -9999995",
        "-1,             -9999, 99,                5,                    -9999",
        "-1,             -9999, 99,                -10000,               -9999",
        "1000000000000,  -4000000000000000000, 4000000000000000000, -4000000000000000000, 4000000000000000000",
        "100000000000,   -4000000000000000000, 4000000000000000000, -4000000000000000000, -3000000000000000000",
        "1000000000000,  -4000000000000000000, 4000000000000000000, 4000001000000000000,  4000000000000000000",
        "-1000000000000, -4000000000000000000, 4000000000000000000, 4000000000000000000,  -4000000000000000000",
        "-100000000000,  -4000000000000000000, 4000000000000000000, 4000000000000000000,  3000000000000000000",
        "-1000000000000, -4000000000000000000, 4000000000000000000, -4000001000000000000, -4000000000000000000",
    })
    void tenMillionNumbersAheadCountAsGivenButNoneBeyondTheEnd(long increment, long min, long max, long next, long reach) {
        assertEquals(reach, Revision.reach(new Series(increment > 0 ? min : max, increment, min, max, false), next));
    }

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
}
