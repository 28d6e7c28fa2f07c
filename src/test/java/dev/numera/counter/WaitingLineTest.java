package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.WaitingLine.Joined;
import org.junit.jupiter.api.Test;

class WaitingLineTest {
    private final WaitingLine<String> line = new WaitingLine<>(2);

    @Test
    void theFirstLeadsUntilItResigns() {
        assertEquals(Joined.AS_LEADER, line.join("a"));
        assertEquals(Joined.AS_FOLLOWER, line.join("b"));
        assertFalse(line.resign());
        assertEquals("a", take());
        assertEquals("b", take());
        line.served(2);
        assertEquals(Joined.AS_FOLLOWER, line.join("c"));
        assertFalse(line.resign());
        assertEquals("c", take());
        assertTrue(line.resign());
        assertEquals(Joined.AS_LEADER, line.join("d"));
    }

    @Test
    void firstComeFirstServedAndNobodyIsPassedOver() {
        line.join("long");
        line.join("b");
        assertNull(line.takeIf(waiter -> waiter.length() == 1));
        assertEquals("long", take());
        assertEquals("b", line.takeIf(waiter -> waiter.length() == 1));
        assertNull(take());
    }

    @Test
    void aFullLineTurnsAwayAndWhoIsServedCountsUntilItIsAnswered() {
        line.join("a");
        line.join("b");
        assertEquals(Joined.TURNED_AWAY, line.join("c"));
        take();
        assertEquals(Joined.TURNED_AWAY, line.join("c"));
        line.served(1);
        assertEquals(Joined.AS_FOLLOWER, line.join("c"));
    }

    @Test
    void whenTheLeaderCannotGoOnTheNextOneLeadsThoseWhoWait() {
        line.join("a");
        line.join("b");
        take();
        line.abandon();
        assertEquals(Joined.AS_LEADER, line.join("c"));
        assertEquals("b", take());
        assertEquals("c", take());
    }

    @Test
    void whoeverLeavesIsNotServed() {
        line.join("a");
        line.join("b");
        assertTrue(line.leave("a"));
        assertFalse(line.leave("a"));
        assertEquals("b", take());
        assertFalse(line.leave("b"));
        assertTrue(line.resign());
    }

    @Test
    void aLineLeftByAllIsResignedFrom() {
        line.join("a");
        line.leave("a");
        assertTrue(line.resign());
        assertEquals(Joined.AS_LEADER, line.join("b"));
    }

    @Test
    void aClosedLineServesThoseWhoWait() {
        line.join("a");
        line.join("b");
        line.close();
        assertEquals(Joined.TURNED_AWAY, line.join("c"));
        assertEquals("a", take());
        assertFalse(line.resign());
        assertEquals("b", take());
        assertTrue(line.resign());
        assertEquals(Joined.TURNED_AWAY, line.join("d"));
    }

    private String take() {
        return line.takeIf(waiter -> true);
    }
}
