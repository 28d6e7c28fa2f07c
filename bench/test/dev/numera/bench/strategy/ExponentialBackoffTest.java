package dev.numera.bench.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBackoffTest {
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    private final ExponentialBackoff exponential = new ExponentialBackoff(millis(10), millis(5), millis(1_000));

    @ParameterizedTest
    @CsvSource({
        "1, 0,    13_000", // 5 + 0.8 * 10 * 1
        "1, 0.25, 14_000",
        "1, 0.5,  15_000",
        "2, 0,    29_000", // 5 + 0.8 * 10 * 3
        "2, 0.5,  35_000",
        "3, 0.5,  75_000",
        "6, 0.5,  635_000",
        "7, 0,    1_000_000",
        "50, 0.5, 1_000_000",
    })
    void exponential(int attempt, double random, String micros) {
        assertEquals(micros(micros), exponential.delay(attempt, random));
    }

    @Test
    void theHighestRandomStaysBelowTheUpperEnd() {
        assertTrue(exponential.delay(1, ALMOST_ONE).compareTo(millis(17)) <= 0);
        assertTrue(exponential.delay(1, ALMOST_ONE).compareTo(millis(17).minusNanos(10)) > 0);
    }

    @Test
    void theLongestWaitHoldsEvenBelowTheShortestOne() {
        assertEquals(millis(3), new ExponentialBackoff(millis(10), millis(5), millis(3)).delay(1, 0));
    }

    @Test
    void noWaitIsNegativeOrTooLongHoweverManyAttempts() {
        SplittableRandom randoms = new SplittableRandom();
        IntStream attempts = IntStream.concat(
                IntStream.of(1, 2, 63, 64, 1_023, 1_024, Integer.MAX_VALUE), randoms.ints(1_000, 1, Integer.MAX_VALUE));
        attempts.forEach(attempt -> DoubleStream.of(0, randoms.nextDouble(), ALMOST_ONE)
                .mapToObj(random -> exponential.delay(attempt, random))
                .forEach(delay -> assertTrue(
                        !delay.isNegative() && delay.compareTo(millis(1_000)) <= 0,
                        () -> delay + " after " + attempt)));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Duration micros(String micros) {
        return Duration.ofNanos(1_000 * Long.parseLong(micros.replace("_", "")));
    }
}
