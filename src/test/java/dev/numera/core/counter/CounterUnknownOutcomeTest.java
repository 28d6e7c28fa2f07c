package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.duplicated;
import static dev.numera.core.counter.ScriptedStore.failing;
import static dev.numera.core.counter.ScriptedStore.lasting;
import static dev.numera.core.counter.ScriptedStore.late;
import static dev.numera.core.counter.ScriptedStore.lostReply;
import static dev.numera.core.counter.ScriptedStore.passing;
import static dev.numera.core.counter.ScriptedStore.swallowed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Limits;
import dev.numera.core.retry.WriteResult;
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
    void lostReplyIsResolvedByReading() {
        next();
        store.onWrite(lostReply());
        store.log.clear();
        CallResult<CounterOutcome> result = call(take(null, 1));
        assertEquals(2, ((Allocation) result.only()).first());
        assertEquals(List.of("write", "read"), store.log);
        assertEquals(2, result.attempts());
        assertEquals(3, next());
        assertEquals(List.of("write", "read", "write"), store.log, "What was read is good for the next write.");
    }

    /**
     * No answer arrived, but a read finds the write. It is reported like an answered write: the definition is in use,
     * and the counter has reached its number.
     */
    @Test
    void aWriteThatIsFoundWonIsReportedLikeOneThatWasAnswered() {
        List<String> events = new ArrayList<>();
        Counter watched =
                new Counter(ID, terms.current().fixed(), terms, LIMITS, surroundings(store), new Watched(events));
        store.onWrite(lostReply());
        assertEquals(1, first(submit(watched, take(null, 1))));
        assertEquals(List.of("UNKNOWN for 1 in 0 ms", "found won", "reached 2"), events);
        assertTrue(terms.current().isInUse());
        store.onWrite(lostReply());
        store.onRead(after(() -> assertEquals(3, peerNext())));
        assertEquals(2, first(submit(watched, take("order-1", 1))));
        assertEquals(List.of("UNKNOWN for 1 in 0 ms", "found won", "reached 3"), events.subList(3, 6));
    }

    /**
     * The request without a key takes part in the same write as a keyed request. Its numbers were once skipped although
     * the neighbor's row proved the write, and it took others.
     */
    @Test
    void requestWithoutAKeyKeepsTheNumbersThatTheRowOfItsNeighborProves() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> peerWrites(9)));
        assertEquals(List.of(2L, 3L), firsts(call(take("order-1", 1), take(null, 1))));
        assertEquals(13, next());
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
        assertInstanceOf(WriteResult.Refused.class, underWay.poll().get());
        assertEquals(5, next());
    }

    /**
     * The newcomer arrives between the write and its late landing. In the group it would get a number that the write
     * did not reserve.
     */
    @Test
    void noCallJoinsAGroupWhoseWriteMayStillLand() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextWait(() -> newcomers.add(submit(take(null, 1))));
        store.onRead(request -> () -> {
            underWay.poll().get();
            return request.get();
        });

        assertEquals(2, next());
        assertEquals(3, first(newcomers.get(0)));
        assertEquals(4, peerNext());
    }

    /**
     * The first write lands just before its second copy. If the copy included a newcomer, the operation id of the first
     * write would pass for proof of the newcomer's number.
     */
    @Test
    void noCallJoinsTheCopyOfAWriteThatMayStillLand() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextWait(() -> newcomers.add(submit(take(null, 1))));
        store.onWrite(after(() -> underWay.poll().get()));

        assertEquals(2, next());
        assertEquals(3, first(newcomers.get(0)));
        assertEquals(4, peerNext());
    }

    /**
     * If the caller that gave up left the group, the other callers would take new numbers, and their first numbers
     * would be lost.
     */
    @Test
    void possiblyWrittenGroupStaysCompleteWhenACopyWasNotSentAndACallerGivesUp() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<WaitingCall> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(counter.submit(List.of(take(null, 1)), deadline()));
            waiting.add(counter.submit(List.of(take(null, 1)), deadline()));
        }));
        store.onWrite(late(underWay));
        store.onWrite(failing(passing()));
        store.onRead(request -> request);
        store.onRead(after(() -> waiting.get(0).giveUp(time.nanoTime())));
        store.onWrite(after(() -> underWay.remove().get()));
        assertEquals(2, next());
        assertEquals(4, first(waiting.get(1).answers()));
        assertEquals(5, peerNext());
    }

    /**
     * The request belongs to another counter under the changed definition. Its unanswered write may still have taken
     * numbers of this counter.
     */
    @Test
    void aChangedDefinitionDoesNotSayThatAnUnansweredWriteConsumedNothing() {
        next();
        store.onWrite(request -> () -> {
            WriteResult unknown = lostReply().apply(request).get();
            change(new Series(100, 1, 1, 1_000, false));
            terms.reloaded();
            return unknown;
        });
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
    }

    /** A batch that needs two writes keeps the numbers of the first write, whatever happens to the second. */
    @Test
    void callWithSomeNumbersIsNotAnsweredThatNothingWasConsumed() {
        next();
        List<WaitingCall> waiting = new ArrayList<>();
        List<ProblemType> results = new ArrayList<>();
        store.onWrite(after(() -> waiting.add(counter.submit(keys(WriteLimits.KEYS + 1), deadline()))));
        store.onWrite(request -> request);
        for (int loss = 0; loss < Limits.LOSSES_BEFORE_PEER_REQUEST; loss++) {
            store.onWrite(after(this::peerNext));
        }
        store.onInsert(
                after(() -> results.add(waiting.get(0).giveUp(time.nanoTime()).type())));
        assertEquals(2, next());
        assertEquals(List.of(ProblemType.OUTCOME_UNKNOWN), results);
    }

    /**
     * The first write also marks the definition, so one key fewer fits. Its caller gives up before any write is sent
     * for it.
     */
    @Test
    void aCallThatDidNotFitTheWriteIsAnsweredThatNothingWasConsumed() {
        List<CounterRequest> keys = keys(WriteLimits.KEYS);
        List<WaitingCall> leftOut = new ArrayList<>();
        List<ProblemType> results = new ArrayList<>();
        store.onWrite(after(() -> {
            leftOut.add(counter.submit(keys.subList(WriteLimits.KEYS - 1, WriteLimits.KEYS), deadline()));
            change(NUMBERS);
        }));
        store.onWrite(
                after(() -> results.add(leftOut.get(0).giveUp(time.nanoTime()).type())));
        call(keys.subList(0, WriteLimits.KEYS - 1).toArray(CounterRequest[]::new));
        assertEquals(List.of(ProblemType.OVERLOADED), results);
        assertEquals(WriteLimits.KEYS, next());
    }

    /**
     * One key of the group did not fit the write, and has a row of another period. The row is not in the way of the
     * write, so it proves nothing: believing it once gave the request without a key a second number.
     */
    @Test
    void aRowOfAKeyThatDidNotFitTheWriteDoesNotProveItLost() {
        List<CounterRequest> requests = new ArrayList<>(keys(WriteLimits.KEYS - 1));
        requests.add(take(null, 1));
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        peer(new CounterId(SEQUENCE, "2025")).call(List.of(take("earlier", 1)), deadline());
        unmark();
        store.onWrite(after(() -> {
            submit(take("earlier", 1));
            change(NUMBERS);
        }));
        store.onWrite(late(underWay));
        store.onWrite(request -> () -> WriteResult.Refused.EXISTS);
        store.onWrite(after(() -> underWay.remove().get()));
        List<Long> firsts = firsts(call(requests.toArray(CounterRequest[]::new)));
        assertTrue(underWay.isEmpty(), "The write that was under way has landed.");
        assertEquals(WriteLimits.KEYS, firsts.get(WriteLimits.KEYS - 1));
        assertEquals(WriteLimits.KEYS + 1, next());
    }

    private static List<CounterRequest> keys(int keys) {
        List<CounterRequest> requests = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            requests.add(take("key " + key, 1));
        }
        return requests;
    }

    @Test
    void writeThatLandsAfterItsCallerWasAnsweredSkipsItsNumber() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        for (int attempt = 0; attempt < LIMITS.maxAttempts(); attempt++) {
            store.onWrite(late(underWay));
        }
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        underWay.forEach(Supplier::get);
        assertEquals(3, next());
    }

    /** A strict sequence once skipped the number, although its only caller was answered. */
    @Test
    void writeOverwrittenByFewOthersIsFoundByItsId() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> peerWrites(7)));
        assertEquals(2, next());
        assertEquals(10, next());
    }

    @Test
    void writeOverwrittenByManyOthersStaysUnknownWithoutAKey() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> peerWrites(8)));
        store.log.clear();
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(List.of("write", "read"), store.log, "More reads would not show more.");
        assertEquals(11, next());
    }

    /**
     * The last ids still include the id of the state that the write was computed from. If the write had won, its own id
     * would be among them, too.
     */
    @Test
    void writeThatNeverArrivedIsKnownToBeLostWhileTheIdsReachBack() {
        next();
        store.onWrite(swallowed());
        store.onRead(after(() -> peerWrites(7)));
        assertEquals(9, next());
    }

    @Test
    void writeThatNeverArrivedStaysUnknownOnceTheIdsReachBackNoFurther() {
        next();
        store.onWrite(swallowed());
        store.onRead(after(() -> peerWrites(8)));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(10, next());
    }

    /**
     * The first write of a counter has no predecessor. The ids prove that it was lost as long as the list is not full.
     */
    @Test
    void firstWriteThatNeverArrivedIsKnownToBeLost() {
        store.onWrite(swallowed());
        store.onRead(request -> request);
        store.onRead(after(() -> peerWrites(7)));
        assertEquals(8, next());
    }

    @Test
    void unnoticedOverwrittenWriteIsFoundByItsKey() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> assertEquals(3, peerNext())));
        Allocation found = next("order-1");
        assertEquals(2, found.first());
        assertFalse(found.replayed(), "No earlier request got it.");
        assertEquals(4, next());
    }

    @Test
    void writeOverwrittenByManyOthersIsFoundByTheIdInTheRowOfItsKey() {
        next();
        store.onWrite(lostReply());
        store.onRead(after(() -> peerWrites(9)));
        Allocation found = next("order-1");
        assertEquals(2, found.first());
        assertFalse(found.replayed());
        assertEquals(12, next());
    }

    /** The row of the key belongs to another instance, whose caller sent the same key. */
    @Test
    void theRowOfAKeyProvesNothingUnderAnotherId() {
        next();
        store.onWrite(swallowed());
        store.onRead(after(() -> {
            peerCall(take("order-1", 1));
            peerWrites(8);
        }));
        Allocation found = next("order-1");
        assertEquals(2, found.first());
        assertTrue(found.replayed());
        assertEquals(11, next());
    }

    @Test
    void aKeyWithoutARowShowsThatTheWriteWasLost() {
        next();
        store.onWrite(swallowed());
        store.onRead(after(() -> peerWrites(9)));
        Allocation fresh = next("order-1");
        assertEquals(11, fresh.first());
        assertFalse(fresh.replayed());
    }

    /** The group's own row was once taken for the result of an earlier request, and the answer marked as a replay. */
    @Test
    void rowWrittenBetweenRefusalAndReadBelongsToTheGroup() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(request -> () -> {
            underWay.add(request);
            return WriteResult.Refused.EXISTS;
        });
        store.onFind(after(() -> underWay.remove().get()));
        Allocation own = next("order-1");
        assertEquals(2, own.first());
        assertFalse(own.replayed());
        assertEquals(3, next());
    }

    /** The answer was once `contention`, although the key has its number. */
    @Test
    void refusedSecondCopyAtTheLastAttemptIsResolved() {
        next();
        Counter impatient = counter(attempts(1));
        store.onWrite(duplicated());
        assertEquals(2, first(submit(impatient, take("order-1", 1))));
    }

    @Test
    void aLastLossIsContentionOnceItIsProved() {
        next();
        Counter impatient = counter(attempts(1));
        assertEquals(2, first(submit(impatient, take(null, 1))));
        peerNext();
        store.log.clear();
        assertProblem(ProblemType.CONTENTION, submit(impatient, take(null, 1)));
        assertEquals(List.of("write", "read"), store.log);
        assertEquals(4, next());
    }

    @Test
    void aLastLossThatCannotBeProvedIsUnknown() {
        next();
        Counter impatient = counter(attempts(1));
        assertEquals(2, first(submit(impatient, take(null, 1))));
        peerNext();
        store.onRead(failing(passing()));
        assertProblem(ProblemType.OUTCOME_UNKNOWN, submit(impatient, take(null, 1)));
        store.onWrite(after(() -> peerWrites(8)));
        assertProblem(ProblemType.OUTCOME_UNKNOWN, submit(impatient, take(null, 1)));
    }

    /** The instance's state is merely old. Frequent writes of other instances are no reason to refuse a call. */
    @Test
    void longPausedInstanceContinues() {
        next();
        peerWrites(9);
        store.log.clear();
        int reads = terms.reads;
        assertEquals(11, next());
        assertEquals(List.of("write", "read", "write"), store.log);
        assertEquals(reads, terms.reads, "It is the same epoch.");
        peerWrites(9);
        store.log.clear();
        assertEquals(21, next("order-1").first());
        assertEquals(List.of("write", "read", "write"), store.log);
    }

    @Test
    void aRefusalOfASecondCopyThatManyOverwroteIsFoundByItsKeyAndNoReplay() {
        next();
        store.onWrite(duplicated());
        store.onRead(after(() -> peerWrites(9)));
        Allocation own = next("order-1");
        assertEquals(2, own.first());
        assertFalse(own.replayed());
    }

    /** A write was sent, so missing storage is not the only reason why the call has no number. */
    @Test
    void storageUnavailableIsReportedOnlyBeforeAnyWrite() {
        next();
        store.onRead(failing(passing()));
        assertProblem(ProblemType.STORAGE_UNAVAILABLE, submit(counter(attempts(1)), take(null, 1)));

        peerNext();
        store.onRead(request -> request);
        store.onRead(failing(lasting()));
        store.onWrite(after(this::peerNext));
        store.onWrite(after(this::peerNext));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
    }

    /** The first write is certainly lost, but the failed second write leaves the outcome unknown. */
    @Test
    void storageIsNotBlamedForACallThatWroteBeforeItFailed() {
        next();
        counter = counter(attempts(2));
        store.onWrite(after(this::peerNext));
        store.onWrite(failing(passing()));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
    }

    @Test
    void aRefusalOnARestoredTableSaysNothingOfAWriteWithoutAnAnswer() {
        for (WriteResult result : List.of(WriteResult.Refused.CHANGED, ScriptedStore.unknown())) {
            store.table.restore(new MemoryCounterStore().backup());
            define(Guarantee.STRICT, NUMBERS);
            next();
            MemoryCounterStore.Backup backup = store.table.backup();
            next();
            store.onWrite(request -> () -> {
                store.table.restore(backup);
                return result;
            });
            assertRefused(
                    result instanceof WriteResult.Unknown ? ProblemType.OUTCOME_UNKNOWN : ProblemType.ROLLED_BACK);
        }
    }

    @Test
    void aCallJoinsAGroupWhoseStateWasOnlyOld() {
        next();
        peerWrites(9);
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(after(() -> newcomers.add(submit(take(null, 1)))));
        store.log.clear();
        assertEquals(11, next());
        assertEquals(12, first(newcomers.get(0)));
        assertEquals(List.of("write", "read", "write"), store.log);
    }

    /**
     * The test invents the refusal. Believing it once left a gap in a gapless ledger, because the skipped range got no
     * row.
     */
    @Test
    void aRefusalOfAnAdvanceIsNotBelievedWithoutTheRow() {
        define(Guarantee.GAPLESS, NUMBERS);
        next("order-1");
        store.onWrite(request -> () -> WriteResult.Refused.EXISTS);
        assertEquals(new Change.Move(ID.period(), 2, 6), advance(6));
        assertEquals(
                List.of(1L, 5L),
                store.table.rowsFrom(ID, 1, 9).stream().map(LedgerRow::highest).toList());
        assertEquals(6, next("order-2").first());
    }

    /** The test invents the refusal. The sequence was once refused as behind its ledger until an advance. */
    @Test
    void aRefusalOfANumberIsNotBelievedWithoutTheRow() {
        define(Guarantee.GAPLESS, NUMBERS);
        next("order-1");
        store.onWrite(request -> () -> WriteResult.Refused.EXISTS);
        assertEquals(2, next("order-2").first());
        assertEquals(3, next("order-3").first());
    }

    /** A request without a key writes no row that could conflict, so a proxy must have invented the refusal. */
    @Test
    void aRefusalWithoutARowIsNotBelievedOfANumberWithoutAKey() {
        next();
        store.onWrite(request -> () -> WriteResult.Refused.EXISTS);
        assertEquals(2, next());
    }

    @Test
    void refusalsWithoutARowCountAsAttempts() {
        next();
        counter = counter(attempts(3));
        assertEquals(2, next());
        store.log.clear();
        for (int write = 0; write < 9; write++) {
            store.onWrite(request -> () -> WriteResult.Refused.EXISTS);
        }
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(3, store.log.stream().filter("write"::equals).count());
    }

    @Test
    void aLookUpMayTakeAsLongAsTheLastOfItsCallersWaits() {
        peerCall(take("known", 1));
        assertTrue(next("known").replayed());
        assertEquals(LIMITS.deadline(), store.lastAtMost);
    }

    private void peerWrites(int writes) {
        for (int write = 0; write < writes; write++) {
            peerNext();
        }
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

    /**
     * The write had won. The definition for the next lookup could not be read in time, and the call was once reported
     * as refused.
     */
    @Test
    void refusedSecondCopyStaysUnknownWithoutALaterDefinition() {
        store.onWrite(request -> {
            terms.failOnce(new ProblemException(ProblemType.OVERLOADED, "It did not come in time."));
            return duplicated().apply(request);
        });
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(2, next());
    }

    @Test
    void theRefusalOfASecondCopyThatAPeerOverwroteIsFoundByItsKey() {
        next();
        store.onWrite(duplicated());
        store.onRead(after(() -> assertEquals(3, peerNext())));
        assertEquals(2, next("order-1").first());
        assertEquals(4, next());
    }

    @Test
    void theSameKeyGetsItsNumbersAfterAnUnknownOutcome() {
        next();
        Counter impatient = counter(attempts(1));
        store.onWrite(lostReply());
        assertProblem(ProblemType.OUTCOME_UNKNOWN, submit(impatient, take("order-1", 2)));
        Allocation found = allocation(submit(impatient, take("order-1", 2)));
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

    /** The answer was once `storage-unavailable`, as if nothing had been written. */
    @Test
    void writeThatALastingFailureLeavesUnresolvedIsUnknown() {
        next();
        store.onWrite(lostReply());
        store.onRead(failing(lasting()));
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(3, next());
    }
}
