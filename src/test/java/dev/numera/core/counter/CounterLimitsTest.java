package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.failing;
import static dev.numera.core.counter.ScriptedStore.lasting;
import static dev.numera.core.counter.ScriptedStore.passing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.Guarantee;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.Unwatched;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The limits of a counter: attempts, deadlines and waiting calls, and the answers beyond them. */
class CounterLimitsTest extends CounterFixture {
    @Test
    void aReadThatFailsInPassingIsTriedAgainAfterAWait() {
        store.onRead(failing(passing()));
        store.onRead(failing(passing()));
        assertEquals(1, next());
        assertEquals(List.of(Duration.ofMillis(4), Duration.ofMillis(8)), time.sleeps);
    }

    @Test
    void whatWasReadForARefusedCallIsGoodForTheNextWrite() {
        peerNext();
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 1_000)));
        assertEquals(2, next());
        assertEquals(List.of("read", "write"), store.log);
    }

    @Test
    void aWriteThatSurelyDidNotArriveIsTriedAgain() {
        next();
        store.onWrite(failing(passing()));
        assertEquals(2, next());
    }

    @Test
    void lastingFailureIsReportedAtOnce() {
        store.onRead(failing(lasting()));
        ProblemException problem = assertThrows(ProblemException.class, this::next);
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem.type());
        assertEquals("Reading failed: 403.", problem.getMessage());
        assertEquals(List.of(), time.sleeps);
        assertEquals(1, next());
    }

    @Test
    void missingTableIsReportedAndNothingRestarts() {
        Counter lost = new Counter(
                ID,
                StaleDefinition.fixed(Guarantee.STRICT, NUMBERS),
                terms,
                LIMITS,
                surroundings(MemoryCounterStore.withoutTable()),
                new Unwatched());
        ProblemException problem = assertProblem(ProblemType.STORAGE_UNAVAILABLE, submit(lost, take(null, 1)));
        assertTrue(problem.getMessage().contains(MemoryCounterStore.TABLE), problem.getMessage());
    }

    @Test
    void tooManyLossesAreContentionAndConsumeNothing() {
        Counter impatient = counter(attempts(3));
        first(submit(impatient, take(null, 1)));
        for (int attempt = 0; attempt < 3; attempt++) {
            store.onWrite(after(this::peerNext));
        }
        ProblemException problem = assertProblem(ProblemType.CONTENTION, submit(impatient, take(null, 1)));
        assertEquals(3, problem.members().get("attempts"));
        assertEquals(5, peerNext());
    }

    @Test
    void storageThatFailsUntilTheDeadlineIsUnavailable() {
        for (int read = 0; read < 40; read++) {
            store.onRead(after(() -> {
                time.pass(Duration.ofSeconds(2));
                throw passing();
            }));
        }
        ProblemException problem = assertThrows(ProblemException.class, this::next);
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem.type());
        assertTrue((long) problem.members().get("elapsedMillis") >= 10_000, problem.members()::toString);
        assertEquals(5, store.log.size());
    }

    @Test
    void lossesUntilTheDeadlineAreContention() {
        next();
        for (int attempt = 0; attempt < 40; attempt++) {
            store.onWrite(after(() -> {
                time.pass(Duration.ofSeconds(2));
                peerNext();
            }));
        }
        assertRefused(ProblemType.CONTENTION);
    }

    @Test
    void callNotServedInTimeIsOverloaded() {
        List<ProblemException> refusals = new ArrayList<>();
        store.onRead(after(() -> refusals.add(assertThrows(ProblemException.class, () -> call(take(null, 1))))));
        submit(take(null, 1));
        assertEquals(
                List.of(ProblemType.OVERLOADED),
                refusals.stream().map(ProblemException::type).toList());
        assertEquals(1, next());
    }

    /** The answer was once `contention`, although no other instance had written. */
    @Test
    void deadlineBeforeTheFirstAttemptIsOverloaded() {
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(submit(take(null, 1)));
            time.pass(LIMITS.deadline());
        }));
        assertEquals(1, next());
        assertProblem(ProblemType.OVERLOADED, waiting.get(0));
        assertEquals(List.of("read", "write"), store.log, "It costs no request.");
        assertEquals(2, next());
    }
}
