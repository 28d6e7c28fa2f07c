package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TurnTest {
    private static final long MILLI = 1_000_000;
    /** System.nanoTime may be anything, and wraps. */
    private static final long BEGAN = Long.MAX_VALUE - 10 * MILLI;

    private final Turn turn = new Turn(Duration.ofMillis(30));

    /** Writes without a rest, as a busy instance does, for so many milliseconds; returns when it wrote last. */
    private long writeFrom(long nanos, int millis) {
        for (int millisLater = 0; millisLater <= millis; millisLater += 10) {
            assertFalse(turn.isOver(nanos + millisLater * MILLI), "over after " + millisLater + " ms");
            turn.wrote(nanos + millisLater * MILLI);
        }
        return nanos + millis * MILLI;
    }

    @Test
    void endsAfterASecondEvenWithoutARivalInSight() {
        long last = writeFrom(BEGAN, 990);
        assertTrue(turn.isOver(last + 10 * MILLI));
    }

    @Test
    void lastsForABurstFromTheFirstWriteOnceThereIsARival() {
        turn.sawRival();
        turn.wrote(BEGAN);
        turn.wrote(BEGAN + 20 * MILLI);
        assertFalse(turn.isOver(BEGAN + 30 * MILLI - 1));
        assertTrue(turn.isOver(BEGAN + 30 * MILLI));
    }

    @Test
    void isNotOverAfterARest() {
        turn.sawRival();
        turn.wrote(BEGAN);
        assertFalse(turn.isOver(BEGAN + 30 * MILLI));
        turn.wrote(BEGAN + 50 * MILLI);
        turn.wrote(BEGAN + 70 * MILLI);
        assertFalse(turn.isOver(BEGAN + 79 * MILLI));
        assertTrue(turn.isOver(BEGAN + 80 * MILLI));
    }

    @Test
    void aSlowWriteIsNoRest() {
        turn.sawRival();
        turn.wrote(BEGAN);
        assertFalse(turn.isOver(BEGAN + 1));
        turn.wrote(BEGAN + 100 * MILLI);
        assertTrue(turn.isOver(BEGAN + 100 * MILLI + 1));
    }

    @Test
    void thePauseIsAsLongAsTheBurstGiveOrTakeHalf() {
        turn.sawRival();
        assertEquals(Duration.ofMillis(15), turn.end(0));
        assertEquals(Duration.ofMillis(30), turn.end(0.5));
        assertTrue(turn.end(Math.nextDown(1.0)).compareTo(Duration.ofMillis(45)) <= 0);
    }

    @Test
    void thePauseAfterALongTurnIsLonger() {
        assertEquals(
                Duration.ofMillis(1_000 / 16 / 2), Duration.ofMillis(turn.end(0).toMillis()));
        assertEquals(Duration.ofNanos(1_000 * MILLI / 16), turn.end(0.5));
    }

    @Test
    void anotherTurnBeginsWithTheNextWrite() {
        turn.sawRival();
        turn.wrote(BEGAN);
        turn.end(0);
        assertFalse(turn.isOver(BEGAN + 20 * MILLI));
        turn.wrote(BEGAN + 20 * MILLI);
        turn.wrote(BEGAN + 40 * MILLI);
        assertFalse(turn.isOver(BEGAN + 49 * MILLI));
        assertTrue(turn.isOver(BEGAN + 50 * MILLI));
    }

    @Test
    void aLostWriteEndsTheTurnToo() {
        turn.sawRival();
        turn.wrote(BEGAN);
        turn.wrote(BEGAN + 20 * MILLI);
        turn.sawRival();
        assertFalse(turn.isOver(BEGAN + 40 * MILLI));
    }

    @Test
    void isABurstLongerEachTimeThatNobodyUsedThePause() {
        turn.sawRival();
        turn.sawNobody();
        turn.sawNobody();
        long last = writeFrom(BEGAN, 80);
        assertTrue(turn.isOver(last + 10 * MILLI));
    }

    @Test
    void isNeverLongerThanASecond() {
        for (int pauses = 0; pauses < 100; pauses++) {
            turn.sawNobody();
        }
        long last = writeFrom(BEGAN, 990);
        assertTrue(turn.isOver(last + 10 * MILLI));
    }
}
