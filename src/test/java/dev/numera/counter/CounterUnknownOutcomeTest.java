package dev.numera.counter;

import static dev.numera.counter.ScriptedStore.after;
import static dev.numera.counter.ScriptedStore.duplicated;
import static dev.numera.counter.ScriptedStore.failing;
import static dev.numera.counter.ScriptedStore.lasting;
import static dev.numera.counter.ScriptedStore.late;
import static dev.numera.counter.ScriptedStore.lostReply;
import static dev.numera.counter.ScriptedStore.passing;
import static dev.numera.counter.ScriptedStore.swallowed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Writes without a trustworthy answer: each counts once, whenever it lands. */
class CounterUnknownOutcomeTest extends CounterFixture {
    @Test
    void aLostReplyIsFoundOutByReading() {
        next();
        store.onWrite(lostReply());
        store.log.clear();
        Answers answers = call(ask(null, 1));
        assertEquals(2, ((Outcome.Allocation) answers.only()).first());
        assertEquals(List.of("write", "read"), store.log);
        assertEquals(2, answers.attempts());
        assertEquals(3, next());
    }

    @Test
    void aWriteThatNeverArrivedIsSentAgainAsItWas() {
        next();
        store.onWrite(swallowed());
        store.onWrite(swallowed());
        assertEquals(2, next());
        assertEquals(1, store.operationIds().subList(1, 4).stream().distinct().count());
        assertEquals(3, next());
    }

    @Test
    void aWriteThatLandsLateCountsOnceWhetherItBeatsItsCopyOrNot() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(late(underWay));
        store.onWrite(after(() -> underWay.poll().get()));
        assertEquals(2, next());
        assertEquals(3, next());

        store.onWrite(late(underWay));
        assertEquals(4, next());
        assertInstanceOf(WriteResult.Lost.class, underWay.poll().get());
        assertEquals(5, next());
    }

    /**
     * The newcomer comes between the write and its late landing: had it joined the group, it would have got an
     * unreserved number.
     */
    @Test
    void nobodyJoinsAGroupWhoseWriteMayStillLand() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextSleep(() -> newcomers.add(submit(ask(null, 1))));
        store.onRead(request -> () -> {
            underWay.poll().get();
            return request.get();
        });

        assertEquals(2, next());
        assertEquals(3, first(newcomers.get(0)));
        assertEquals(4, rivalNext());
    }

    /**
     * Here the first write lands just before its copy: had the copy held a newcomer, the id would have been taken for
     * its proof.
     */
    @Test
    void nobodyJoinsTheCopyOfAWriteThatMayStillLand() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextSleep(() -> newcomers.add(submit(ask(null, 1))));
        store.onWrite(after(() -> underWay.poll().get()));

        assertEquals(2, next());
        assertEquals(3, first(newcomers.get(0)));
        assertEquals(4, rivalNext());
    }

    @Test
    void aWriteThatLandsAfterItsCallerWasToldSkipsItsNumber() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        for (int attempt = 0; attempt < LIMITS.maxAttempts(); attempt++) {
            store.onWrite(late(underWay));
        }
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        underWay.forEach(Supplier::get);
        assertEquals(3, next());
    }

    @Test
    void whatWasOverwrittenUnnoticedIsSkippedWithoutAKey() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> assertEquals(3, rivalNext())));
        assertEquals(4, next());
    }

    @Test
    void whatWasOverwrittenUnnoticedIsFoundByItsKey() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> assertEquals(3, rivalNext())));
        Outcome.Allocation found = next("order-1");
        assertEquals(2, found.first());
        assertEquals(4, next());
    }

    @Test
    void theRefusalOfASecondCopyIsNotBelieved() {
        next();
        store.onWrite(duplicated());
        assertEquals(2, next());
        store.onWrite(duplicated());
        assertEquals(3, next("order-1").first());
        assertFalse(next("order-2").replayed());
        assertEquals(5, next());
    }

    @Test
    void theRefusalOfASecondCopyThatARivalOverwroteIsFoundByItsKey() {
        next();
        store.onWrite(duplicated());
        store.onRead(after(() -> assertEquals(3, rivalNext())));
        assertEquals(2, next("order-1").first());
        assertEquals(4, next());
    }

    @Test
    void theSameKeyGetsItsNumbersAfterAnUnknownOutcome() {
        next();
        Counter impatient = counter(attempts(1));
        store.onWrite(lostReply());
        assertProblem(ProblemType.OUTCOME_UNKNOWN, submit(impatient, ask("order-1", 2)));
        Outcome.Allocation found = allocation(submit(impatient, ask("order-1", 2)));
        assertEquals(2, found.first());
        assertTrue(found.replayed());
    }

    @Test
    void aWriteThatIsNotResolvedByTheDeadlineIsUnknown() {
        next();
        store.onWrite(request -> () -> {
            time.pass(Duration.ofSeconds(2));
            return ScriptedStore.unknown();
        });
        for (int read = 0; read < 40; read++) {
            store.onRead(after(() -> {
                time.pass(Duration.ofSeconds(2));
                throw passing();
            }));
        }
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
    }

    /** It was told that the storage is unavailable, as if nothing had been written. */
    @Test
    void aWriteThatCannotBeResolvedForALastingFailureIsUnknown() {
        next();
        store.onWrite(lostReply());
        store.onRead(failing(lasting()));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(3, next());
    }
}
