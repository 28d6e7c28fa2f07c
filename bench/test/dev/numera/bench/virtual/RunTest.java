package dev.numera.bench.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunTest {
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final Storage STEADY = new Storage(10, 0, false, 0);
    private static final Storage SPREAD = new Storage(10, 0.4, false, 0);

    @Test
    void oneCallerTakesOneExchangeForEachNumber() {
        Measured measured = Run.of(new Scene(1, 1, STEADY), WINDOW, 1);
        assertEquals(100, measured.numbers(), 1);
        assertEquals(1.0, measured.p99Rtt(), 0.01);
    }

    @Test
    void callersOfOneInstanceShareEachWrite() {
        Measured measured = Run.of(new Scene(1, 16, STEADY), WINDOW, 1);
        assertEquals(1_600, measured.numbers(), 16);
        assertEquals(1.0, measured.p99Rtt(), 0.01);
    }

    @Test
    void callUnderWayAtTheEndOfTheWindowIsMeasuredToItsEnd() {
        Scene slow = new Scene(1, 1, new Storage(700, 0, false, 0));
        Measured measured = Run.of(slow, Duration.ofMillis(800), 1);
        assertEquals(1.0, measured.latency().getMinValue() / 700e6, 0.01);
    }

    @Test
    void partitionServesNoMoreThanItsEntities() {
        Scene keyed = new Scene(1, 16, STEADY.serving(170)).keyed();
        Measured measured = Run.of(keyed, Duration.ofSeconds(10), 1);
        assertTrue(measured.operations() <= 1_700 + 18, "entities: " + measured.operations());
    }

    @Test
    void seedRepeatsTheRun() {
        Scene scene = new Scene(3, 2, SPREAD.stalling());
        Measured first = Run.of(scene, WINDOW, 1);
        assertEquals(first.latency(), Run.of(scene, WINDOW, 1).latency());
        assertNotEquals(first.latency(), Run.of(scene, WINDOW, 2).latency());
    }
}
