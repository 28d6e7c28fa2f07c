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

    @Test
    void lastsForeverWithoutARival() {
        turn.wrote(BEGAN);
        assertFalse(turn.isOver(BEGAN + 1_000_000 * MILLI));
    }

    @Test
    void lastsForABurstFromTheFirstWriteOnceThereIsARival() {
        turn.sawRival();
        assertFalse(turn.isOver(BEGAN + 40 * MILLI));
        turn.wrote(BEGAN);
        turn.wrote(BEGAN + 20 * MILLI);
        assertFalse(turn.isOver(BEGAN + 30 * MILLI - 1));
        assertTrue(turn.isOver(BEGAN + 30 * MILLI));
    }

    @Test
    void thePauseIsAsLongAsTheBurstGiveOrTakeHalf() {
        assertEquals(Duration.ofMillis(15), turn.end(0));
        assertEquals(Duration.ofMillis(30), turn.end(0.5));
        assertTrue(turn.end(Math.nextDown(1.0)).compareTo(Duration.ofMillis(45)) <= 0);
    }

    @Test
    void anotherTurnBeginsWithTheNextWrite() {
        turn.sawRival();
        turn.wrote(BEGAN);
        turn.end(0);
        assertFalse(turn.isOver(BEGAN + 100 * MILLI));
        turn.wrote(BEGAN + 100 * MILLI);
        assertTrue(turn.isOver(BEGAN + 130 * MILLI));
    }

    @Test
    void aLostWriteEndsTheTurnToo() {
        turn.sawRival();
        turn.wrote(BEGAN);
        turn.sawRival();
        assertFalse(turn.isOver(BEGAN + 100 * MILLI));
    }

    @Test
    void theRivalIsForgottenWhenNobodyUsedThePause() {
        turn.sawRival();
        turn.wrote(BEGAN);
        turn.sawNobody();
        assertFalse(turn.isOver(BEGAN + 100 * MILLI));
    }
}
