package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.duplicated;
import static dev.numera.core.counter.ScriptedStore.late;
import static dev.numera.core.counter.ScriptedStore.lostReply;
import static dev.numera.core.counter.ScriptedStore.swallowed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.Unwatched;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The first write to a counter creates it, on condition of the version of the definition that it was computed from. A
 * change of the definition and a first number therefore never mix, whichever arrives first and however late.
 */
class CounterOpeningTest extends CounterFixture {
    private static final Series NARROW = new Series(1, 1, 1, 5, false);
    private static final Series LATER = new Series(100, 1, 1, 1_000, false);

    @Test
    void theFirstWriteMarksTheDefinitionAndNoOther() {
        String version = definition().version();
        next();
        next();
        assertEquals(
                List.of(version),
                store.written.stream()
                        .filter(Transaction::createsCounter)
                        .map(Transaction::definitionVersion)
                        .toList());
        assertEquals(
                1, store.written.stream().filter(Transaction::marksDefinition).count());
        assertTrue(definition().isInUse());
    }

    @Test
    void continuesAfterAnOpeningByAPeer() {
        store.onWrite(after(this::peerNext));
        assertEquals(2, next());
        assertEquals(3, next());
        assertEquals(List.of("read", "write", "read", "write", "write"), store.log);
    }

    @Test
    void lostReplyOfAnOpeningIsResolvedByReading() {
        store.onWrite(lostReply());
        CallResult<CounterOutcome> result = call(take(null, 1));
        assertEquals(List.of(1L), firsts(result));
        assertEquals(2, result.attempts());
        assertEquals(List.of("read", "write", "read"), store.log);
        assertEquals(2, next());
    }

    @Test
    void lostReplyOfAnOverwrittenOpeningIsResolvedByItsKey() {
        store.onWrite(lostReply());
        time.duringNextWait(() -> assertEquals(2, peerNext()));
        assertEquals(1, next("order-1").first());
        assertEquals(3, next());
    }

    @Test
    void anOpeningThatNeverArrivedIsSentAgainAsItWas() {
        store.onWrite(swallowed());
        store.onWrite(swallowed());
        assertEquals(1, next());
        assertEquals(1, store.written.stream().distinct().count());
        assertEquals(2, next());
    }

    @Test
    void theRefusalOfAnOpeningsSecondCopyIsNotBelieved() {
        store.onWrite(duplicated());
        assertEquals(1, next("order-1").first());
        assertFalse(next("order-2").replayed());
        assertEquals(3, next());
    }

    /**
     * The moments at which the late write lands. In each of them the counter is read after the definition, since only
     * this order proves that the write was lost.
     */
    @Test
    void lateOpeningCountsOnce() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<Runnable> moments = List.of(
                () -> time.duringNextWait(() -> underWay.poll().get()),
                () -> store.onRead(after(() -> underWay.poll().get())),
                () -> store.onRead(request -> () -> {
                    Optional<Versioned<CounterState>> found = request.get();
                    underWay.poll().get();
                    return found;
                }),
                () -> store.onWrite(after(() -> underWay.poll().get())));
        for (Runnable moment : moments) {
            store.table.restore(new MemoryCounterStore().backup());
            define(Guarantee.STRICT, NUMBERS);
            store.onRead(request -> request);
            store.onWrite(late(underWay));
            moment.run();
            assertEquals(1, next());
            assertEquals(2, next());
            assertEquals(3, peerNext());
            assertEquals(0, underWay.size());
        }
    }

    @Test
    void anOpeningThatLandsAfterAPeersIsRefused() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(late(underWay));
        time.duringNextWait(() -> assertEquals(1, peerNext()));
        assertEquals(2, next());
        assertEquals(WriteResult.Refused.EXISTS, underWay.poll().get());
        assertEquals(3, next());
    }

    /**
     * The late write and the group's new write under the new definition differ only in the version of the definition,
     * so this version must refuse the late one.
     */
    @Test
    void openingThatLandsAfterADefinitionChangeIsRefused() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<WriteResult> landed = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextWait(() -> change(NARROW));
        store.onWrite(after(() -> landed.add(underWay.poll().get())));
        assertEquals(1, next("order-1").first());
        assertEquals(List.of(WriteResult.Refused.CHANGED), landed);
        assertEquals(2, store.operationIds().stream().distinct().count());
        assertEquals(2, next());
    }

    /**
     * The opening lands between the reads and marks the definition. If the counter were read before the definition,
     * that mark would look like proof that the opening was lost.
     */
    @Test
    void openingThatLandsAtTheDeadlineLeavesTheOutcomeUnknown() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        counter = counter(attempts(1));
        store.onWrite(request -> () -> {
            underWay.add(request);
            return WriteResult.Refused.CHANGED;
        });
        store.onRead(request -> request);
        store.onRead(request -> () -> {
            Optional<Versioned<CounterState>> found = request.get();
            underWay.remove().get();
            return found;
        });
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertEquals(2, peerNext());
    }

    @Test
    void openingRefusedByADefinitionChangeConsumesNothingAtTheDeadline() {
        counter = counter(attempts(1));
        store.onWrite(after(() -> change(NARROW)));
        assertRefused(ProblemType.CONTENTION);
        assertEquals(1, peerNext());
    }

    @Test
    void callAfterAChangeOfTheDefinitionJoinsTheNewOpening() {
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(after(() -> {
            change(NARROW);
            newcomers.add(submit(take(null, 2)));
        }));
        assertEquals(1, next());
        assertEquals(2, first(newcomers.get(0)));
        assertEquals(List.of("read", "write", "read", "write"), store.log);
    }

    /**
     * While the definition still has the version of the opening, the opening may still land, so no call may join its
     * second copy.
     */
    @Test
    void noCallJoinsAnOpeningThatMayStillLand() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextWait(() -> newcomers.add(submit(take(null, 1))));
        store.onWrite(after(() -> underWay.poll().get()));
        assertEquals(1, next());
        assertEquals(2, first(newcomers.get(0)));
        assertEquals(3, peerNext());
    }

    @Test
    void definitionChangeBetweenPlanAndWriteCausesANewPlan() {
        store.onWrite(after(() -> change(NARROW)));
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 6)));
        assertFalse(definition().isInUse());
        store.onWrite(after(() -> change(new Series(1, 1, 1, 7, false))));
        assertEquals(1, allocation(submit(take(null, 5))).first());
        assertEquals(
                2L,
                assertProblem(ProblemType.EXHAUSTED, submit(take(null, 3)))
                        .members()
                        .get("left"));
    }

    @Test
    void whenTheFixedFieldsChangeBeforeTheFirstNumberNothingIsConsumed() {
        store.onWrite(after(() -> change(LATER)));
        CallResult<CounterOutcome> result = call(take("a", 1), take(null, 2));
        assertTrue(result.isOutdated());
        result.results().forEach(answer -> assertInstanceOf(DefinitionChangedException.class, answer.problem()));
        assertEquals(2, result.results().size());
        assertEquals(Optional.empty(), store.table.read(ID));
        assertEquals(Map.of(), store.table.find(SEQUENCE, List.of("a"), LIMITS.deadline()));
        assertFalse(definition().isInUse());

        assertTrue(call(new CounterRequest.Advance(7, ChangeNote.NONE)).isOutdated());
        assertTrue(call(NumberRequest.block(7)).isOutdated());
        assertEquals(
                100,
                ((Allocation) peer().call(List.of(take("a", 1)), deadline()).only()).first());
        assertTrue(call(take("a", 1)).isOutdated());
    }

    /** A restore leaves a margin of numbers to skip. Only the write that skips the margin may open the counter. */
    @Test
    void aMissingCounterIsNotOpenedByANumberAsLongAsARestoreLeavesAMargin() {
        Sequence margin = definition().withRestoreMargin(10);
        assertInstanceOf(WriteResult.Won.class, store.table.replace(margin, Defined.change()));
        assertTrue(call(take("a", 1)).isOutdated());
        assertTrue(call(new CounterRequest.Advance(50, ChangeNote.NONE)).isOutdated());
        assertEquals(Optional.empty(), store.table.read(ID));
        call(CounterRequest.Skip.opening());
        assertEquals(11, next("a").first());
    }

    @Test
    void openingThatLandsAfterItsCallerWasRefusedForOtherFieldsIsRefused() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onWrite(late(underWay));
        time.duringNextWait(() -> change(LATER));
        assertTrue(call(take("a", 1)).isOutdated());
        assertEquals(WriteResult.Refused.CHANGED, underWay.poll().get());
        assertEquals(Optional.empty(), store.table.read(ID));
    }

    @Test
    void definitionFromBeforeTheFirstNumberIsReadAgainOnceThereIsACounter() {
        terms.current();
        change(NARROW);
        peerNext();
        assertEquals(2, next());
        assertEquals(3, next());
        assertEquals(2, terms.reads);
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 3)));
    }

    @Test
    void definitionWithOtherFieldsThanTheFirstNumberFixedIsOutdated() {
        terms.current();
        change(LATER);
        peer = peer();
        assertEquals(100, peerNext());
        assertTrue(call(take(null, 1)).isOutdated());
        assertEquals(List.of("read"), store.log);
        assertEquals(101, peerNext());
    }

    @Test
    void everyCallOfAGroupLearnsThatItsDefinitionIsOutdated() {
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onRead(after(() -> {
            waiting.add(submit(take(null, 1)));
            waiting.add(submit(take("key", 1)));
        }));
        store.onWrite(after(() -> change(LATER)));
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 1_001)));
        assertEquals(
                List.of(true, true),
                waiting.stream().map(answers -> answers.join().isOutdated()).toList());
        assertEquals(1, store.written.size());
    }

    /** The leader has its number and must not wait for the write of requests that did not fit the opening. */
    @Test
    void aCallerWhoseOpeningIsFoundWonPaysForNoOther() {
        Runnable manyOthers = () -> IntStream.range(0, 9).forEach(write -> peerNext());
        assertLeftToOthers(lostReply(), () -> {});
        assertLeftToOthers(lostReply(), manyOthers);
        assertLeftToOthers(duplicated(), manyOthers);
    }

    private void assertLeftToOthers(UnaryOperator<Supplier<WriteResult>> opening, Runnable beforeItIsRead) {
        store.table.restore(new MemoryCounterStore().backup());
        define(Guarantee.STRICT, NUMBERS);
        store.written.clear();
        List<Runnable> otherThreads = new ArrayList<>();
        counter = counterWith(otherThreads::add);
        List<CompletableFuture<CallResult<CounterOutcome>>> others = new ArrayList<>();
        store.onWrite(after(() -> {
            change(new Series(1, 1, 1, 900, false));
            others.add(submit(IntStream.range(0, 96)
                    .mapToObj(key -> take("key " + key, 1))
                    .toArray(CounterRequest[]::new)));
            others.add(submit(take("last", 1)));
        }));
        store.onWrite(opening);
        store.onRead(request -> request);
        store.onRead(request -> request);
        store.onRead(after(beforeItIsRead));
        assertEquals(1, first(submit(take("own", 1))));
        assertTrue(others.get(0).isDone());
        assertFalse(others.get(1).isDone());
        assertEquals(2, store.written.size());
        List.copyOf(otherThreads).forEach(Runnable::run);
        assertTrue(others.get(1).isDone());
    }

    /** An opening needs one more operation, so 97 keys fit and the last key gets a write of its own. */
    @Test
    void ninetyEightKeysAreOpenedWithTwoWritesInTheirOrder() {
        CounterRequest[] requests = IntStream.range(0, 98)
                .mapToObj(ordinal -> take("key " + ordinal, 1))
                .toArray(CounterRequest[]::new);
        assertEquals(LongStream.rangeClosed(1, 98).boxed().toList(), firsts(call(requests)));
        assertEquals(List.of("read", "write", "write"), store.log);
        assertEquals(
                List.of(97, 1),
                store.table.rowsFrom(ID, 1, 10).stream()
                        .map(row -> row.allocations().size())
                        .toList());
    }

    @Test
    void requestAfterThe97thKeyKeepsItsPlaceEvenWithoutAKey() {
        List<CounterRequest> requests = new ArrayList<>();
        IntStream.range(0, 98).forEach(ordinal -> requests.add(take("key " + ordinal, 1)));
        requests.add(97, take(null, 1));
        assertEquals(
                LongStream.rangeClosed(1, 99).boxed().toList(), firsts(call(requests.toArray(CounterRequest[]::new))));
    }

    /**
     * A refused call once froze the fields of the definition, so the owner could not correct the range that had caused
     * the refusal.
     */
    @Test
    void refusedCallMarksNothing() {
        define(Guarantee.STRICT, NARROW);
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 6)));
        assertProblem(ProblemType.EXHAUSTED, submit(new CounterRequest.Advance(6, ChangeNote.NONE)));
        assertProblem(ProblemType.INVALID_REQUEST, submit(new NumberRequest("key", 1, TODAY.plusDays(401)).on(TODAY)));
        retire(TestClock.START);
        terms.reloaded();
        assertProblem(ProblemType.RETIRED, submit(new CounterRequest.Advance(3, ChangeNote.NONE)));
        assertProblem(ProblemType.RETIRED, submit(take("key", 1)));
        assertProblem(ProblemType.RETIRED, submit(NumberRequest.block(3)));

        assertEquals(List.of(), store.written);
        assertFalse(definition().isInUse());
        assertEquals(Optional.empty(), store.table.read(ID));
    }

    @Test
    void anAdvanceOpensTooAndMarks() {
        assertEquals(new Change.Move(ID.period(), 1, 500), advance(500));
        assertTrue(definition().isInUse());
        assertEquals(500, next());
        assertEquals(
                1, store.written.stream().filter(Transaction::marksDefinition).count());
    }

    @Test
    void theFirstEpochIsTheTime() {
        next();
        assertEquals(
                TestClock.START.toEpochMilli(),
                store.table.read(ID).orElseThrow().value().epoch());
    }

    @Test
    void everyPeriodHasAnOpeningUnderTheDefinitionOfItsTime() {
        define(Defined.definition(Guarantee.STRICT, NUMBERS, ResetEvery.YEAR));
        CounterId later = new CounterId(SEQUENCE, "2027");
        Counter nextYear = new Counter(
                later, definition().definition().fixed(), terms, LIMITS, surroundings(store), new Unwatched());
        assertEquals(1, next());
        assertEquals(1, first(submit(nextYear, take(null, 1))));
        List<String> versions =
                store.written.stream().map(Transaction::definitionVersion).toList();
        assertEquals(2, versions.stream().distinct().count(), versions::toString);
        assertEquals(2, next());
    }

    /**
     * The first period's opening marks the definition and thereby refuses the second period's opening. Its retry finds
     * a changed definition and still no counter, which must not look like a lost table.
     */
    @Test
    void twoPeriodsThatAreOpenedAtOnceBothBegin() {
        define(Defined.definition(Guarantee.STRICT, NUMBERS, ResetEvery.YEAR));
        Counter nextYear = peer(new CounterId(SEQUENCE, "2027"));
        store.onWrite(after(() -> assertEquals(1, first(submit(nextYear, take(null, 1))))));
        assertEquals(1, next());
        assertEquals(2, next());
        assertEquals(List.of("read", "write", "read", "write", "write"), store.log);
    }

    @Test
    void inASequenceThatIsResetAMissingCounterIsANewPeriod() {
        define(Defined.definition(Guarantee.STRICT, NUMBERS, ResetEvery.YEAR));
        assertEquals(1, first(submit(peer(new CounterId(SEQUENCE, "2027")), take(null, 1))));
        assertEquals(1, next());
    }

    @Test
    void missingCounterOfADefinitionInUseIsRefusedUntilAdvanced() {
        peerNext();
        peerNext();
        store.table.remove(ID);
        assertRefused(ProblemType.ROLLED_BACK);
        assertEquals(List.of("read"), store.log);
        assertEquals(new Change.Move(ID.period(), 1, 3), advance(3));
        assertEquals(3, next());
    }

    @Test
    void counterWithAnOlderDefinitionAllocatesNothingUntilItIsAdvanced() {
        peerNext();
        unmark();
        assertRefused(ProblemType.ROLLED_BACK);
        assertRefused(ProblemType.ROLLED_BACK);
        assertFalse(definition().isInUse());
        assertEquals(new Change.Move(ID.period(), 2, 2), advance(2));
        assertTrue(definition().isInUse());
        assertEquals(2, next());
    }

    /** A refusal once left "no counter" in memory. The next call did not read again, and 1 was allocated twice. */
    @Test
    void readsTheCounterAgainAfterARefusalBeforeTheFirstNumber() {
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 1_001)));
        peerNext();
        terms.reloaded();
        store.table.remove(ID);
        assertRefused(ProblemType.ROLLED_BACK);
    }

    /**
     * The definition came into use after the counter was read, so only another read shows whether the counter is lost.
     */
    @Test
    void definitionInUseTriggersAnotherLookupOfTheCounter() {
        define(Guarantee.STRICT, NARROW);
        terms.current();
        peerNext();
        change(NUMBERS);
        store.table.remove(ID);
        assertProblem(ProblemType.ROLLED_BACK, submit(take(null, 6)));
        assertEquals(Optional.empty(), store.table.read(ID));
    }

    @Test
    void continuesBehindThePeerThatOpenedTheCounter() {
        define(Guarantee.STRICT, NARROW);
        store.onRead(request -> () -> {
            Optional<Versioned<CounterState>> found = request.get();
            peerNext();
            change(NUMBERS);
            return found;
        });
        assertEquals(2, allocation(submit(take(null, 6))).first());
    }
}
