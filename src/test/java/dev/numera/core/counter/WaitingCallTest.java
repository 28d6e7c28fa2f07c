package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.NumberRequest;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.TestClock;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitingCallTest {
    private static final int MAX_ATTEMPTS = 3;

    private final WaitingCall call = new WaitingCall(
            List.of(new NumberRequest(null, 1, null).on(LocalDate.EPOCH)),
            2_000_000,
            new Deadline(TestClock.alone(), 2_000_000, 10_000_000));

    @Test
    void isOverAtItsDeadlineOrAfterItsAttempts() {
        assertFalse(call.isOver(9_999_999, MAX_ATTEMPTS));
        assertTrue(call.isOver(10_000_000, MAX_ATTEMPTS));
        call.failed(null);
        call.failed(null);
        assertFalse(call.isOver(0, MAX_ATTEMPTS));
        call.failed(null);
        assertTrue(call.isOver(0, MAX_ATTEMPTS));
    }

    @Test
    void namesTheReasonOfItsFailure() {
        assertEquals(ProblemType.OVERLOADED, call.unsuccessful(0).type());
        assertEquals(Map.of(), call.unsuccessful(0).members(), "as openapi.json describes it");
        call.failed(null);
        assertEquals(ProblemType.CONTENTION, call.unsuccessful(7_000_000).type());
        assertEquals(1, call.unsuccessful(7_000_000).members().get("attempts"));
        assertEquals(5L, call.unsuccessful(7_000_000).members().get("elapsedMillis"));
        assertEquals(5_000_000, call.waitedNanos(7_000_000));
        call.failed(new StoreFailure("Forbidden.", false, null));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, call.unsuccessful(0).type());
        assertEquals("Forbidden.", call.unsuccessful(0).getMessage());
        call.enlist();
        assertEquals(ProblemType.OUTCOME_UNKNOWN, call.unsuccessful(0).type());
    }

    @Test
    void callWhoseTimeWentToStorageDidNotWaitForItsTurn() {
        call.tried(6_000_000);
        assertEquals(ProblemType.OVERLOADED, call.unsuccessful(10_000_000).type(), "It waited for as long.");
        assertEquals(
                ProblemType.STORAGE_UNAVAILABLE, call.unsuccessful(10_000_001).type());
        assertTrue(call.unsuccessful(10_000_001).isTransient());
    }

    /**
     * A call may spend time before the queue, for example to read or create its definition. That time does not count as
     * waiting in the queue.
     */
    @Test
    void timeBeforeTheLineIsNoTimeInLine() {
        WaitingCall late = new WaitingCall(
                List.of(new NumberRequest(null, 1, null).on(LocalDate.EPOCH)),
                6_000_000,
                new Deadline(TestClock.alone(), 2_000_000, 10_000_000));
        assertEquals(ProblemType.OVERLOADED, late.unsuccessful(10_000_000).type());
        assertEquals(
                ProblemType.STORAGE_UNAVAILABLE, late.unsuccessful(9_999_999).type());
    }

    /**
     * The leader read the clock and then looked up keys for a long time. Meanwhile the caller was answered with
     * `contention`, and its number was once written after that.
     */
    @Test
    void callAnsweredThatNothingWasConsumedIsNotWritten() {
        call.failed(null);
        assertEquals(ProblemType.CONTENTION, call.giveUp(0).type());
        assertFalse(call.enlist());
        assertTrue(call.isOver(0, MAX_ATTEMPTS));
    }

    @Test
    void callThatGivesUpDuringAWriteHasAnUnknownOutcome() {
        assertTrue(call.enlist());
        assertEquals(ProblemType.OUTCOME_UNKNOWN, call.giveUp(0).type());
        assertTrue(call.enlist());
        call.discharge();
        assertFalse(call.enlist());
    }
}
