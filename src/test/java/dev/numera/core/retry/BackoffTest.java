package dev.numera.core.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    private final Backoff fullJitter = new Backoff.FullJitter(millis(10), millis(1_000));

    @ParameterizedTest
    @CsvSource({
        "1, 0,    0",
        "1, 0.25, 5_000",
        "1, 0.5,  10_000",
        "2, 0.5,  20_000",
        "6, 0.5,  320_000",
        "7, 0.5,  500_000",
        "50, 0.25, 250_000",
        "50, 0,   0",
    })
    void fullJitter(int attempt, double random, String micros) {
        assertEquals(micros(micros), fullJitter.delay(attempt, random));
    }

    @Test
    void theHighestRandomStaysBelowTheUpperEnd() {
        assertTrue(fullJitter.delay(1, ALMOST_ONE).compareTo(millis(20)) <= 0);
        assertTrue(fullJitter.delay(1, ALMOST_ONE).compareTo(millis(20).minusNanos(10)) > 0);
    }

    @Property(tries = 1_000)
    void noWaitIsNegativeOrTooLongHoweverManyAttempts(
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int attempt,
            @ForAll @DoubleRange(max = 1, maxIncluded = false) double random) {
        Duration delay = fullJitter.delay(attempt, random);
        assertTrue(!delay.isNegative() && delay.compareTo(millis(1_000)) <= 0, delay::toString);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Duration micros(String micros) {
        return Duration.ofNanos(1_000 * Long.parseLong(micros.replace("_", "")));
    }
}
