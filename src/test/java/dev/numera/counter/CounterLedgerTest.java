package dev.numera.counter;

import static dev.numera.counter.ScriptedStore.after;
import static dev.numera.counter.ScriptedStore.failing;
import static dev.numera.counter.ScriptedStore.passing;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.Defined;
import dev.numera.execution.WriteResult;
import dev.numera.format.ResetEvery;
import dev.numera.model.Allocation;
import dev.numera.model.Answers;
import dev.numera.model.CounterId;
import dev.numera.model.Guarantee;
import dev.numera.model.Outcome;
import dev.numera.model.Request;
import dev.numera.model.Take;
import dev.numera.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Keys: the same one gets the same numbers, and none disturbs its neighbours. */
class CounterLedgerTest extends CounterFixture {
    @Test
    void equalKeysInOneGroupAreOneAllocation() {
        next();
        List<CompletableFuture<Answers<Outcome>>> waiting = new ArrayList<>();
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
        Answers<Outcome> answers = call(take("new", 1), take("older", 1), take(null, 1), take("old", 2));
        assertEquals(List.of(4L, 3L, 5L, 1L), firsts(answers));
        assertEquals(
                List.of(false, true, false, true),
                answers.answers().stream()
                        .map(answer -> ((Allocation) answer.value()).replayed())
                        .toList());
        assertEquals(List.of("read", "write", "read", "find [new, old, older]", "write"), store.log);
        assertEquals(1, answers.attempts());
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
            return WriteResult.Lost.CHANGED;
        });
    }

    private static List<Boolean> replayed(Answers<Outcome> answers) {
        return answers.answers().stream()
                .map(answer -> ((Allocation) answer.orThrow()).replayed())
                .toList();
    }

    /** Both answers were once marked as new. */
    @Test
    void ofEqualKeysWrittenByTheGroupOneIsNoReplay() {
        next();
        hideTheNextWrite();
        Answers<Outcome> answers = call(take("a", 1), take("a", 1));
        assertEquals(List.of(2L, 2L), firsts(answers));
        assertEquals(List.of(false, true), replayed(answers));
    }

    @Test
    void aKeyThatTheGroupHasToldAnotherCallerOfIsAReplay() {
        next();
        List<CompletableFuture<Answers<Outcome>>> waiting = new ArrayList<>();
        store.onRead(after(() -> waiting.add(submit(take("a", 1)))));
        hideTheNextWrite();
        Answers<Outcome> first = call(take("a", 1));
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
        List<CompletableFuture<Answers<Outcome>>> waiting = new ArrayList<>();
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
        assertProblem(ProblemType.KEY_REUSED, submit(next, new Take("order-1", 1, TODAY).on(TODAY)));
    }

    @Test
    void aFailedLookUpIsTriedAgain() {
        peerCall(take("old", 1));
        store.onFind(failing(passing()));
        assertEquals(1, next("old").first());
        assertEquals(2, next());
    }

    /**
     * A known key takes no number: in the plan it once took the last one, and its neighbor was refused as exhausted.
     */
    @Test
    void replayLeavesTheLastNumberToItsNeighbor() {
        peerCall(take("old", 1), take(null, 998));
        Answers<Outcome> answers = call(take("old", 1), take(null, 1));
        assertEquals(List.of(1L, 1_000L), firsts(answers));
        assertEquals(List.of("read", "find [old]", "write"), store.log);
    }

    /** Only its neighbors in a write that was lost had left it too few. */
    @Test
    void whoHadTooFewBesideALostWriteGetsWhatIsThere() {
        peerCall(take(null, 990));
        List<CompletableFuture<Answers<Outcome>>> waiting = new ArrayList<>();
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

    /** Another instance has written since this one did. */
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

    /** One bad member must not fail its neighbours. */
    @Test
    void exhaustedReusedAndReplayedOnesDoNotDisturbTheOthers() {
        peerCall(take("old", 1), take(null, 989));
        List<CompletableFuture<Answers<Outcome>>> waiting = new ArrayList<>();
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
        Answers<Outcome> answers = call(refused("new"), take(null, 1), refused("known"), refused(null));
        assertEquals(refusal, answers.answers().get(0).refusal().getMessage());
        assertEquals(2, ((Allocation) answers.answers().get(1).orThrow()).first());
        assertEquals(1, ((Allocation) answers.answers().get(2).orThrow()).first());
        assertEquals(refusal, answers.answers().get(3).refusal().getMessage());
        assertEquals(Map.of(), store.table.find(SEQUENCE, List.of("new"), LIMITS.deadline()));
        assertEquals(3, next());
    }

    private static Request refused(String key) {
        return new Take(key, 1, TODAY.plusDays(401)).on(TODAY);
    }
}
