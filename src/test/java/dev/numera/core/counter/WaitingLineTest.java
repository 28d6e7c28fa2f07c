package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WaitingLineTest {
    private final WaitingLine<String> line = new WaitingLine<>();

    @Test
    void theFirstLeadsUntilItResigns() {
        assertTrue(line.join("a"));
        assertFalse(line.join("b"));
        assertFalse(line.resign(() -> false));
        assertEquals("a", take());
        assertEquals("b", take());
        assertFalse(line.join("c"));
        assertFalse(line.resign(() -> false));
        assertEquals("c", take());
        assertTrue(line.resign(() -> false));
        assertTrue(line.join("d"));
    }

    @Test
    void firstComeFirstServedAndNoCallIsSkipped() {
        line.join("long");
        line.join("b");
        assertNull(line.takeIf(waiter -> waiter.length() == 1));
        assertEquals("long", take());
        assertEquals("b", line.takeIf(waiter -> waiter.length() == 1));
        assertNull(take());
    }

    @Test
    void nextWaitingCallLeadsWhenTheLeaderFails() {
        line.join("a");
        line.join("b");
        take();
        line.abandon();
        assertTrue(line.join("c"));
        assertEquals("b", take());
        assertEquals("c", take());
    }

    @Test
    void callThatLeavesIsNotServed() {
        line.join("a");
        line.join("b");
        assertTrue(line.leave("a"));
        assertFalse(line.leave("a"));
        assertEquals("b", take());
        assertFalse(line.leave("b"));
        assertTrue(line.resign(() -> false));
    }

    @Test
    void aLineLeftByAllIsResignedFrom() {
        line.join("a");
        line.leave("a");
        assertTrue(line.resign(() -> false));
        assertTrue(line.join("b"));
    }

    private String take() {
        return line.takeIf(waiter -> true);
    }
}
