package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeriesTest {
    private static final long LARGEST = Series.LARGEST_VALUE;

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 10, 1, 10",
        "1, 1, 1, 10, 10, 1",
        "1, 1, 1, 10, 11, 0",
        "1, 3, 1, 10, 1, 4",
        "1, 3, 1, 10, 10, 1",
        "1, 3, 1, 10, 13, 0",
        "2, 3, 1, 10, 8, 1",
        "10, -1, 1, 10, 10, 10",
        "10, -1, 1, 10, 1, 1",
        "10, -1, 1, 10, 0, 0",
        "-1, -4, -10, -1, -9, 1",
        "5, 1, 5, 5, 5, 1",
        "-3, 1, -3, 3, -3, 7",
    })
    void numbersLeft(long start, long increment, long min, long max, long next, long left) {
        assertEquals(left, new Series(start, increment, min, max, false).left(next));
    }

    @Test
    void aRequestFitsAsAWholeOrNotAtAll() {
        Series series = new Series(1, 1, 1, 10, false);
        assertEquals(OptionalLong.of(8), series.first(8, 3));
        assertEquals(OptionalLong.empty(), series.first(8, 4));
        assertEquals(OptionalLong.empty(), series.first(11, 1));
    }

    @Test
    void aCycleBeginsAgainAtTheOtherEnd() {
        Series up = new Series(5, 1, 1, 10, true);
        assertEquals(OptionalLong.of(8), up.first(8, 3));
        assertEquals(OptionalLong.of(1), up.first(8, 4));
        assertEquals(OptionalLong.of(1), up.first(11, 10));
        assertEquals(OptionalLong.empty(), up.first(11, 11));

        Series down = new Series(5, -2, 0, 9, true);
        assertEquals(OptionalLong.of(5), down.first(5, 3));
        assertEquals(OptionalLong.of(9), down.first(5, 4));
        assertEquals(OptionalLong.of(9), down.first(-1, 5));
        assertEquals(OptionalLong.empty(), down.first(-1, 6));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 48214, 48214",
        "1, 5, 7, 11",
        "1, 5, 6, 6",
        "1, 5, 1, 1",
        "1, 5, 0, 1",
        "11, 5, 3, 11",
        "100, -5, 93, 90",
        "100, -5, 95, 95",
        "100, -5, 100, 100",
        "100, -5, 101, 100",
    })
    void theFirstAtOrBeyond(long next, long increment, long wanted, long expected) {
        assertEquals(expected, new Series(1, increment, -1_000, 100_000, false).atOrBeyond(next, wanted));
    }

    @Test
    void nothingOverflowsAtTheBounds() {
        long size = Series.LARGEST_INCREMENT;
        Series up = new Series(-LARGEST, size, -LARGEST, LARGEST, false);
        assertEquals(8_000_001, up.left(-LARGEST));
        assertEquals(0, up.left(LARGEST + size));
        assertEquals(LARGEST, up.last(-LARGEST, 8_000_001));
        assertEquals(LARGEST, up.atOrBeyond(-LARGEST, LARGEST));
        assertEquals(LARGEST, up.atOrBeyond(-LARGEST, LARGEST - 1));
        assertEquals(LARGEST + size, up.atOrBeyond(LARGEST + size, -LARGEST));

        Series down = new Series(LARGEST, -size, -LARGEST, LARGEST, false);
        assertEquals(8_000_001, down.left(LARGEST));
        assertEquals(0, down.left(-LARGEST - size));
        assertEquals(-LARGEST, down.last(LARGEST, 8_000_001));
        assertEquals(-LARGEST, down.atOrBeyond(LARGEST, -LARGEST + 1));

        assertEquals(2 * LARGEST + 1, new Series(0, 1, -LARGEST, LARGEST, false).left(-LARGEST));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 1, 10",
        "0, 1, 1, 10",
        "11, 1, 1, 10",
        "1, 1000000000001, 1, 10",
        "1, -1000000000001, 1, 10",
        "1, -9223372036854775808, 1, 10",
        "1, 9223372036854775807, 1, 10",
        "1, 1, 1, 4000000000000000001",
        "1, 1, -4000000000000000001, 10",
    })
    void refusesArithmeticThatIsNotExact(long start, long increment, long min, long max) {
        assertThrows(IllegalArgumentException.class, () -> new Series(start, increment, min, max, false));
    }

    @Property(tries = 2_000)
    void arithmeticIsThatOfWholeNumbers(
            @ForAll("series") Series series,
            @ForAll @LongRange(min = -LARGEST, max = LARGEST) long wanted,
            @ForAll @IntRange(min = 1, max = 10_000) int count) {
        long next = series.start();
        BigInteger left = BigInteger.valueOf(
                        series.increment() > 0 ? series.maxValue() - next : next - series.minValue())
                .divide(BigInteger.valueOf(series.increment()).abs())
                .add(BigInteger.ONE);
        assertEquals(left, BigInteger.valueOf(series.left(next)));
        series.first(next, count).ifPresent(first -> {
            assertTrue(series.contains(first) && series.contains(series.last(first, count)));
            assertEquals(series.left(first) - count, series.left(series.last(first, count) + series.increment()));
        });
        long beyond = series.atOrBeyond(next, wanted);
        assertEquals(0, (beyond - next) % series.increment());
        assertFalse(series.isBefore(beyond, next));
        assertFalse(series.isBefore(beyond, wanted));
        assertTrue(beyond == next || series.isBefore(beyond - series.increment(), wanted));
    }

    @Provide
    Arbitrary<Series> series() {
        Arbitrary<Long> values = Arbitraries.longs().between(-LARGEST, LARGEST);
        Arbitrary<Long> increments = Arbitraries.longs()
                .between(-Series.LARGEST_INCREMENT, Series.LARGEST_INCREMENT)
                .filter(increment -> increment != 0);
        return Combinators.combine(values, values, values, increments).as((a, b, c, increment) -> {
            long[] sorted = {a, b, c};
            Arrays.sort(sorted);
            return new Series(sorted[1], increment, sorted[0], sorted[2], false);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 1100, 90, 1000, 1090, false",
        "1, 1, 1, 1100, 90, 1000, 1091, true",
        "1, 1, 1, 1100, 100, 1000, 1100, false",
        "1, 1, 1, 1100, 100, 1000, 1101, true",
        "1, 5, 1, 100, 50, 49, 71, false",
        "1, 5, 1, 100, 50, 49, 76, true",
        "100, -1, 1, 100, 50, 50, 27, false",
        "100, -1, 1, 100, 50, 51, 25, true",
        "1, 1, 1, 10, 20, 10, 2, false",
        "1, 1, 1, 10, 20, 99, 3, true",
    })
    void aWidenedRangeIsNearlyUsedWhereItsLastPartIs(
            long start, long increment, long min, long max, int percent, long widenedFrom, long next, boolean isIt) {
        Series series = new Series(start, increment, min, max, false);
        assertEquals(isIt, series.isNearlyUsed(next, percent, widenedFrom));
    }

    @Test
    void theShareThatIsUsedIsNotRoundedDown() {
        Series series = new Series(1, 1, 1, 10, false);
        assertEquals(0.2, series.used(3));
        assertFalse(series.isNearlyUsed(2, 20, null));
        assertTrue(series.isNearlyUsed(3, 20, null));
        assertEquals(1, series.used(11));
        assertEquals(0, new Series(5, 1, 1, 10, false).used(1));
    }
}
