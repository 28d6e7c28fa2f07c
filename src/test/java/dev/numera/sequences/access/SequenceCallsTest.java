package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SequenceCallsTest {
    private static final SequenceName NAME = new SequenceName("Test", "invoice");
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final TestClock clock = TestClock.alone();
    private final SequenceCalls calls = new SequenceCalls(
            new DefinitionCache(new MemoryCounterStore(), 10, clock, DEADLINE),
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
                () -> calls.at(NAME, call -> {
                    assertEquals("first", call.retry(() -> "first"));
                    clock.pass(DEADLINE);
                    return call.retry(this::failing);
                }));
        assertEquals(1, requests);
    }

    /** A late answer is worth one more timeout, for example to read the texts of allocated numbers. */
    @Test
    void aRequestThatIsWorthALateAnswerHasOneTimeoutMore() {
        Duration timeout = TestLimits.DEFAULT.limits().requestTimeout();
        calls.at(NAME, call -> {
            clock.pass(DEADLINE);
            assertEquals(
                    timeout,
                    calls.retryLate(() -> Deadline.ofThisThread().orElseThrow().leftFor(DEADLINE.plus(timeout))));
            clock.pass(timeout);
            assertThrows(StoreFailure.class, () -> calls.retryLate(this::failing));
            return null;
        });
        assertEquals(1, requests);
    }

    @Test
    void aCallThatFailedIsInProgressNoMore() {
        for (int i = 0; i < 2; i++) {
            assertThrows(
                    StoreFailure.class,
                    () -> calls.at(NAME, call -> {
                        throw new StoreFailure("Wrong key.", false, null);
                    }));
        }
        assertEquals("answer", calls.at(NAME, call -> "answer"));
    }
}
