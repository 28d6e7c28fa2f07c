package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Calls over slow storage end by their deadline and report the reason. */
class SlowStorageTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final TestClock clock = TestClock.alone();
    private final List<Duration> startedAt = new ArrayList<>();
    private final long beganNanos = clock.nanoTime();
    private Duration failsFor = Duration.ZERO;
    private Duration takes = Duration.ofMillis(1_900);

    private final Sequences sequences = TestSequences.over(new SequenceStores(
                    to(CounterStore.class),
                    to(PeerRequests.class),
                    to(DefinitionStore.class),
                    to(LedgerStore.class),
                    MemoryWorkerStore::new))
            .with(TestLimits.DEFAULT.withDeadline(DEADLINE).withRequestTimeout(TIMEOUT))
            .with(clock)
            .with(() -> 0.5, Runnable::run)
            .start();

    private <T> T to(Class<T> seam) {
        return ForwardingStore.over(
                seam,
                seam.cast(table),
                request -> sent(request.method().getReturnType() == WriteResult.class, request::forward));
    }

    /** Behaves like a store: a read ends at the deadline, and a write that is sent in time has its whole timeout. */
    private Object sent(boolean isWrite, Supplier<Object> request) {
        Duration left = Deadline.ofThisThread().orElseThrow().leftFor(TIMEOUT);
        startedAt.add(elapsed());
        if (elapsed().compareTo(failsFor) < 0) {
            clock.pass(Duration.ofSeconds(1));
            throw new StoreFailure("Reading failed: 503.", true, null);
        }
        Duration atMost = isWrite ? TIMEOUT : left;
        if (takes.compareTo(atMost) > 0) {
            clock.pass(atMost);
            throw new StoreFailure("Reading failed: no answer.", true, null);
        }
        clock.pass(takes);
        return request.get();
    }

    private Duration elapsed() {
        return Duration.ofNanos(clock.nanoTime() - beganNanos);
    }

    private ProblemException refused() {
        ProblemException problem = assertThrows(ProblemException.class, () -> sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow());
        assertTrue(elapsed().compareTo(DEADLINE.plus(TIMEOUT)) < 0, () -> "It took " + elapsed());
        assertTrue(startedAt.get(startedAt.size() - 1).compareTo(DEADLINE) < 0, startedAt::toString);
        return problem;
    }

    /** The call once took 21.1 s and was answered that its turn had not come, although it was the only call. */
    @Test
    void storageThatFailsAndThenIsSlowEndsACallAtItsDeadline() {
        failsFor = Duration.ofSeconds(9);
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused().type());
    }

    @Test
    void storageThatIsSlowFromTheFirstRequestOnEndsACallAtItsDeadline() {
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused().type());
    }

    /** The definition is created in time, but no time is left for the first number. */
    @Test
    void slowCreationIsNoWantOfATurn() {
        takes = Duration.ofMillis(2_000);
        ProblemException problem = refused();
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem.type());
        assertTrue(table.find(NAME).isPresent());
        takes = Duration.ZERO;
        assertEquals(
                1,
                sequences
                        .allocator()
                        .next(NAME, List.of(new NumberRequest(null, 1, null)))
                        .results()
                        .get(0)
                        .orThrow()
                        .first());
    }
}
