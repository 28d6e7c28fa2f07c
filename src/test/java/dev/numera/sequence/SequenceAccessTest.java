package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.execution.Deadline;
import dev.numera.execution.RetryPolicy;
import dev.numera.execution.StoreFailure;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.model.SequenceName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SequenceAccessTest {
    private static final SequenceName NAME = new SequenceName("Test", "invoice");
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final TestClock clock = TestClock.alone();
    private final SequenceAccess access = new SequenceAccess(
            new Definitions(new MemoryCounterStore(), 10, clock, DEADLINE),
            new Bulkhead(1),
            new RetryPolicy(TestLimits.DEFAULT.withDeadline(DEADLINE).limits(), clock, () -> 0.5),
            Runnable::run);

    private int requests;

    private String failing() {
        requests++;
        throw new StoreFailure("No answer.", true, null);
    }

    @Test
    void allRequestsOfACallHaveOneDeadline() {
        assertThrows(
                StoreFailure.class,
                () -> access.at(NAME, visit -> {
                    assertEquals("first", visit.retry(() -> "first"));
                    clock.pass(DEADLINE);
                    return visit.retry(this::failing);
                }));
        assertEquals(1, requests);
    }

    /** The texts of numbers that are allocated by then. */
    @Test
    void aRequestThatIsWorthALateAnswerHasOneTimeoutMore() {
        Duration timeout = TestLimits.DEFAULT.limits().requestTimeout();
        access.at(NAME, visit -> {
            clock.pass(DEADLINE);
            assertEquals(
                    timeout,
                    access.retryLate(() -> Deadline.ofThisThread().orElseThrow().leftFor(DEADLINE.plus(timeout))));
            clock.pass(timeout);
            assertThrows(StoreFailure.class, () -> access.retryLate(this::failing));
            return null;
        });
        assertEquals(1, requests);
    }

    @Test
    void aCallThatFailedIsInProgressNoMore() {
        for (int i = 0; i < 2; i++) {
            assertThrows(
                    StoreFailure.class,
                    () -> access.at(NAME, visit -> {
                        throw new StoreFailure("Wrong key.", false, null);
                    }));
        }
        assertEquals("answer", access.at(NAME, visit -> "answer"));
    }
}
