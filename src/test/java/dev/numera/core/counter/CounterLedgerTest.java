package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.failing;
import static dev.numera.core.counter.ScriptedStore.passing;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.Defined;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Keyed requests: the same key gets the same numbers, and no request disturbs its neighbors in the group. */
class CounterLedgerTest extends CounterFixture {
    @Test
    void equalKeysInOneGroupAreOneAllocation() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> List.of("a", "b", "a").forEach(key -> waiting.add(submit(take(key, 1))))));
        next();
        assertEquals(
                List.of(3L, 4L, 3L), waiting.stream().map(CounterFixture::first).toList());
        assertEquals(
                List.of(false, false, true),
                waiting.stream().map(answers -> allocation(answers).replayed()).toList());
    }

    @Test
    void knownKeyGetsItsNumbersAgainBesideNewKeys() {
        peerCall(take("old", 2), take("older", 1));
        store.log.clear();
        CallResult<CounterOutcome> result = call(take("new", 1), take("older", 1), take(null, 1), take("old", 2));
        assertEquals(List.of(4L, 3L, 5L, 1L), firsts(result));
        assertEquals(
                List.of(false, true, false, true),
                result.results().stream()
                        .map(answer -> ((Allocation) answer.value()).replayed())
                        .toList());
        assertEquals(List.of("read", "write", "read", "find [new, old, older]", "write"), store.log);
        assertEquals(1, result.attempts());
        assertEquals(List.of(), time.sleeps);
    }

    /**
     * Reports the next write as lost although it won, as when an intermediary sends it twice. Later writes of other
     * instances then replace its operation id.
     */
    private void hideTheNextWrite() {
        store.onWrite(request -> () -> {
            request.get();
            LongStream.range(0, 20).forEach(other -> peerNext());
            return WriteResult.Refused.CHANGED;
        });
    }

    private static List<Boolean> replayed(CallResult<CounterOutcome> result) {
        return result.results().stream()
                .map(answer -> ((Allocation) answer.orThrow()).replayed())
                .toList();
    }

    /** Both answers were once marked as new. */
    @Test
    void ofEqualKeysWrittenByTheGroupOneIsNoReplay() {
        next();
        hideTheNextWrite();
        CallResult<CounterOutcome> result = call(take("a", 1), take("a", 1));
        assertEquals(List.of(2L, 2L), firsts(result));
        assertEquals(List.of(false, true), replayed(result));
    }

    @Test
    void aKeyThatTheGroupHasToldAnotherCallerOfIsAReplay() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onRead(after(() -> waiting.add(submit(take("a", 1)))));
        hideTheNextWrite();
        CallResult<CounterOutcome> first = call(take("a", 1));
        assertEquals(List.of(false), replayed(first));
        assertEquals(List.of(true), replayed(waiting.get(0).join()));
    }

    @Test
    void keyBelongsToOneCount() {
        next("order-1");
        assertProblem(ProblemType.KEY_REUSED, submit(take("order-1", 2)));
        assertEquals(2, next());
    }

    @Test
    void keyBelongsToOneCountInOneGroupToo() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.of(1, 2, 1).forEach(count -> waiting.add(submit(take("a", count))))));
        next();
        assertEquals(3, first(waiting.get(0)));
        assertProblem(ProblemType.KEY_REUSED, waiting.get(1));
        assertEquals(3, first(waiting.get(2)));
        assertEquals(4, next());
    }

    @Test
    void keyOfAnotherPeriodIsReplayedUnlessTheCallHasADate() {
        define(Defined.definition(Guarantee.STRICT, NUMBERS, ResetEvery.YEAR));
        CounterId later = new CounterId(SEQUENCE, "2027");
        next("order-1");
        Counter next = peer(later);
        assertEquals(1, allocation(submit(next, take("order-1", 1))).first());
        assertProblem(ProblemType.KEY_REUSED, submit(next, new NumberRequest("order-1", 1, TODAY).on(TODAY)));
    }

    @Test
    void aFailedLookUpIsTriedAgain() {
        peerCall(take("old", 1));
        store.onFind(failing(passing()));
        assertEquals(1, next("old").first());
        assertEquals(2, next());
    }

    /**
     * A known key takes no number. The plan once reserved the last number for it, and its neighbor was refused as
     * exhausted.
     */
    @Test
    void replayLeavesTheLastNumberToItsNeighbor() {
        peerCall(take("old", 1), take(null, 998));
        CallResult<CounterOutcome> result = call(take("old", 1), take(null, 1));
        assertEquals(List.of(1L, 1_000L), firsts(result));
        assertEquals(List.of("read", "find [old]", "write"), store.log);
    }

    /**
     * The request for 3 lacks numbers only next to the other requests of a write that is then lost. It keeps waiting
     * and gets its numbers when the range is free.
     */
    @Test
    void whoHadTooFewBesideALostWriteGetsWhatIsThere() {
        peerCall(take(null, 990));
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onRead(after(() -> {
            waiting.add(submit(take(null, 8)));
            waiting.add(submit(take(null, 3)));
        }));
        store.onWrite(after(() -> peerCall(take(null, 4))));
        assertEquals(995, next());
        assertEquals(
                6L,
                assertProblem(ProblemType.EXHAUSTED, waiting.get(0)).members().get("left"));
        assertEquals(996, first(waiting.get(1)));
    }

    /**
     * Another instance has written since this instance last read the counter, so the refusal must come from a fresh
     * read.
     */
    @Test
    void aRefusalSaysWhatIsLeftNow() {
        next();
        peerCall(take(null, 997));
        assertEquals(
                2L,
                assertProblem(ProblemType.EXHAUSTED, submit(take(null, 1_000)))
                        .members()
                        .get("left"));
    }

    /** A request that is refused must not fail its neighbors in the group. */
    @Test
    void exhaustedReusedAndReplayedOnesDoNotDisturbTheOthers() {
        peerCall(take("old", 1), take(null, 989));
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onRead(after(() -> {
            waiting.add(submit(take(null, 11)));
            waiting.add(submit(take("old", 7)));
            waiting.add(submit(take("old", 1)));
            waiting.add(submit(take("new", 9)));
            waiting.add(submit(take(null, 1)));
            waiting.add(submit(take("old", 1)));
        }));
        assertEquals(991, next());
        assertEquals(
                9L,
                assertProblem(ProblemType.EXHAUSTED, waiting.get(0)).members().get("left"));
        assertProblem(ProblemType.KEY_REUSED, waiting.get(1));
        assertEquals(1, first(waiting.get(2)));
        assertEquals(992, first(waiting.get(3)));
        assertProblem(ProblemType.EXHAUSTED, waiting.get(4));
        assertEquals(1, first(waiting.get(5)));
    }

    @Test
    void aRefusedRequestWithAKnownKeyGetsItsNumbers() {
        next("known");
        String refusal = "date must not be later than 2027-12-26, which is 400 days ahead (Numera_MaxDaysAhead).";
        CallResult<CounterOutcome> result = call(refused("new"), take(null, 1), refused("known"), refused(null));
        assertEquals(refusal, result.results().get(0).refusal().getMessage());
        assertEquals(2, ((Allocation) result.results().get(1).orThrow()).first());
        assertEquals(1, ((Allocation) result.results().get(2).orThrow()).first());
        assertEquals(refusal, result.results().get(3).refusal().getMessage());
        assertEquals(Map.of(), store.table.find(SEQUENCE, List.of("new"), LIMITS.deadline()));
        assertEquals(3, next());
    }

    private static CounterRequest refused(String key) {
        return new NumberRequest(key, 1, TODAY.plusDays(401)).on(TODAY);
    }
}
