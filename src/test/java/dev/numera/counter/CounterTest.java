package dev.numera.counter;

import static dev.numera.counter.ScriptedStore.after;
import static dev.numera.counter.ScriptedStore.breaking;
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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The counter on one thread, over a store whose answers each test decides: every interleaving is forced at the seam. */
class CounterTest {
    private static final CounterId ID = new CounterId(new SequenceName("Test", "invoice"), "");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final Series NUMBERS = new Series(1, 1, 1, 1_000, false);
    private static final Duration BURST = Duration.ofMillis(30);
    private static final CounterLimits LIMITS = new CounterLimits(
            50, Duration.ofSeconds(10), new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)), BURST, 100);

    private final ScriptedStore store = new ScriptedStore();
    private final ManualTime time = new ManualTime();
    private final StaleTerms terms = new StaleTerms(StaleTerms.of(Guarantee.STRICT, NUMBERS));
    private final Counter counter = counter(LIMITS);
    /** Another instance, undisturbed on the same table. */
    private final Counter rival = new Counter(ID, new StaleTerms(terms.stored), LIMITS, surroundings(store.table));

    // ---- the way it goes

    @Test
    void theFirstNumberOpensTheCounterAndTheNextIsOneRoundTrip() {
        assertEquals(1, next());
        assertEquals(List.of("read", "open", "read", "write"), store.log);
        store.log.clear();
        assertEquals(2, next());
        assertEquals(List.of("write"), store.log);
        assertEquals(1, terms.reloads);
    }

    @Test
    void aCallGetsItsNumbersInOrder() {
        List<Outcome> outcomes = counter.call(List.of(ask(null, 3), ask("a", 2), ask(null, 1))).answers().stream()
                .map(Answers.Answer::outcome).toList();
        assertEquals(List.of(1L, 4L, 6L), outcomes.stream().map(outcome -> ((Outcome.Allocation) outcome).first()).toList());
        assertEquals(7, next());
    }

    @Test
    void whoComesDuringAWriteSharesTheNextOne() {
        next();
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.range(0, 5).forEach(caller -> waiting.add(counter.submit(List.of(ask(null, 2)))))));
        store.log.clear();

        assertEquals(2, next());
        assertEquals(List.of("write", "write"), store.log);
        assertEquals(List.of(3L, 5L, 7L, 9L, 11L), waiting.stream().map(CounterTest::first).toList());
    }

    @Test
    void aTransactionHoldsAtMost98Keys() {
        Counter bigLine = counter(new CounterLimits(50, LIMITS.deadline(), LIMITS.backoff(), BURST, 1_000));
        next();
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.range(0, 120).forEach(caller -> waiting.add(bigLine.submit(List.of(ask("key " + caller, 1)))))));
        assertEquals(2, first(bigLine.submit(List.of(ask(null, 1)))));
        assertEquals(IntStream.range(0, 120).mapToObj(caller -> caller + 3L).toList(), waiting.stream().map(CounterTest::first).toList());
        assertEquals(98, store.table.rowsFrom(ID, 1, 10).get(0).allocations().size());
    }

    @Test
    void aVersionThatWasNotToldIsRead() {
        next();
        store.onWrite(request -> () -> {
            request.get();
            return new WriteResult.Won(null);
        });
        assertEquals(2, next());
        store.log.clear();
        assertEquals(3, next());
        assertEquals(List.of("read", "write"), store.log);
    }

    @Test
    void equalKeysInOneGroupAreOneAllocation() {
        next();
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> List.of("a", "b", "a").forEach(key -> waiting.add(counter.submit(List.of(ask(key, 1)))))));
        next();
        assertEquals(List.of(3L, 4L, 3L), waiting.stream().map(CounterTest::first).toList());
        assertEquals(List.of(false, false, true), waiting.stream().map(answers -> allocation(answers).replayed()).toList());
    }

    @Test
    void aCycleBeginsAgain() {
        Series cycle = new Series(8, 1, 1, 10, true);
        terms.stored = StaleTerms.of(Guarantee.STRICT, cycle);
        terms.keep(terms.stored);
        assertEquals(8, next());
        assertEquals(1, allocation(counter.submit(List.of(ask(null, 5)))).first());
        assertEquals(6, next());
    }

    // ---- unknown writes

    @Test
    void aLostReplyIsFoundOutByReading() {
        next();
        store.onWrite(lostReply());
        store.log.clear();
        Answers answers = counter.call(List.of(ask(null, 1)));
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
        assertEquals(1, store.operationIds.subList(1, 4).stream().distinct().count());
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

    /** The newcomer comes between the write and its late landing: had it joined the group, it would have got an unreserved number. */
    @Test
    void nobodyJoinsAGroupWhoseWriteMayStillLand() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextSleep(() -> newcomers.add(counter.submit(List.of(ask(null, 1)))));
        store.onRead(request -> () -> {
            underWay.poll().get();
            return request.get();
        });

        assertEquals(2, next());
        assertEquals(3, first(newcomers.get(0)));
        assertEquals(4, rivalNext());
    }

    /** Here the first write lands just before its copy: had the copy held a newcomer, the id would have been taken for its proof. */
    @Test
    void nobodyJoinsTheCopyOfAWriteThatMayStillLand() {
        next();
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        store.onWrite(late(underWay));
        time.duringNextSleep(() -> newcomers.add(counter.submit(List.of(ask(null, 1)))));
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
        assertEquals(ProblemType.OUTCOME_UNKNOWN, assertThrows(ProblemException.class, this::next).type());
        underWay.forEach(Supplier::get);
        assertEquals(3, next());
    }

    @Test
    void whatWasOverwrittenUnnoticedIsSkippedWithoutAKey() {
        next();
        store.onWrite(lostReply());
        time.duringNextSleep(() -> assertEquals(3, rivalNext()));
        assertEquals(4, next());
    }

    @Test
    void whatWasOverwrittenUnnoticedIsFoundByItsKey() {
        next();
        store.onWrite(lostReply());
        time.duringNextSleep(() -> assertEquals(3, rivalNext()));
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
        time.duringNextSleep(() -> assertEquals(3, rivalNext()));
        assertEquals(2, next("order-1").first());
        assertEquals(4, next());
    }

    @Test
    void theSameKeyGetsItsNumbersAfterAnUnknownOutcome() {
        next();
        Counter impatient = counter(attempts(1));
        store.onWrite(lostReply());
        assertProblem(ProblemType.OUTCOME_UNKNOWN, impatient.submit(List.of(ask("order-1", 2))));
        Outcome.Allocation found = allocation(impatient.submit(List.of(ask("order-1", 2))));
        assertEquals(2, found.first());
        assertTrue(found.replayed());
    }

    @Test
    void anUnknownOpeningIsReadAgain() {
        store.onOpen(lostReply());
        assertEquals(1, next());
        assertEquals(List.of("read", "open", "read", "write"), store.log);
    }

    @Test
    void anOpeningThatDidNotArriveIsTriedAgain() {
        Deque<Supplier<WriteResult>> underWay = new ArrayDeque<>();
        store.onOpen(late(underWay));
        assertEquals(1, next());
        underWay.poll().get();
        assertEquals(2, next());
    }

    // ---- rivals

    @Test
    void afterALostWriteTheNextAttemptReads() {
        next();
        rivalNext();
        store.log.clear();
        Answers answers = counter.call(List.of(ask(null, 1)));
        assertEquals(3, ((Outcome.Allocation) answers.only()).first());
        assertEquals(2, answers.attempts());
        assertEquals(List.of("write", "read", "write"), store.log);
    }

    @Test
    void aGroupKeepsItsIdUntilNoWriteOfItCanWinAnyMore() {
        next();
        store.onWrite(swallowed());
        store.onWrite(after(this::rivalNext));
        assertEquals(3, next());
        List<String> ids = store.operationIds.subList(1, 4);
        assertEquals(ids.get(0), ids.get(1));
        assertNotEquals(ids.get(1), ids.get(2));
    }

    @Test
    void whoComesAfterALossJoinsUnderTheNewId() {
        next();
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        store.onWrite(after(() -> {
            rivalNext();
            newcomers.add(counter.submit(List.of(ask(null, 1))));
        }));
        store.log.clear();
        assertEquals(3, next());
        assertEquals(4, first(newcomers.get(0)));
        assertEquals(List.of("write", "read", "write"), store.log);
    }

    @Test
    void openingLostToARivalIsObeyed() {
        store.onOpen(after(this::rivalNext));
        assertEquals(2, next());
    }

    @Test
    void onceThereIsARivalItWritesInBurstsAndLetsTheOthersWrite() {
        next();
        rivalNext();
        next();
        time.sleeps.clear();
        time.pass(BURST.minusMillis(1));
        next();
        assertEquals(List.of(), time.sleeps);

        time.pass(Duration.ofMillis(1));
        time.duringNextSleep(this::rivalNext);
        store.log.clear();
        assertEquals(6, next());
        assertEquals(BURST, time.sleeps.get(0));
        assertEquals(List.of("read", "write"), store.log);
    }

    @Test
    void itStopsPausingOnceNobodyUsesThePause() {
        next();
        rivalNext();
        next();
        time.pass(BURST);
        next();
        time.sleeps.clear();
        time.pass(BURST);
        next();
        time.pass(BURST);
        next();
        assertEquals(List.of(), time.sleeps);
    }

    @Test
    void anAdvanceOfARivalIsObeyed() {
        next();
        assertEquals(new Outcome.Advanced(2, 500), rival.call(List.of(new Request.Advance(500))).only());
        assertEquals(500, next());
        assertEquals(501, next());
    }

    // ---- keys

    @Test
    void aKeyThatIsKnownGetsItsNumbersAgainAndTheOthersGoOn() {
        rival.call(List.of(ask("old", 2), ask("older", 1)));
        store.log.clear();
        Answers answers = counter.call(List.of(ask("new", 1), ask("older", 1), ask(null, 1), ask("old", 2)));
        List<Outcome.Allocation> allocations =
                answers.answers().stream().map(answer -> (Outcome.Allocation) answer.outcome()).toList();
        assertEquals(List.of(4L, 3L, 5L, 1L), allocations.stream().map(Outcome.Allocation::first).toList());
        assertEquals(List.of(false, true, false, true), allocations.stream().map(Outcome.Allocation::replayed).toList());
        assertEquals(List.of("read", "write", "read", "find [new, old, older]", "write"), store.log);
        assertEquals(1, answers.attempts());
        assertEquals(List.of(), time.sleeps);
    }

    @Test
    void aKeyStandsForOneCount() {
        next("order-1");
        assertProblem(ProblemType.KEY_REUSED, counter.submit(List.of(ask("order-1", 2))));
        assertEquals(2, next());
    }

    @Test
    void aKeyStandsForOneCountInOneGroupToo() {
        next();
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.of(1, 2, 1).forEach(count -> waiting.add(counter.submit(List.of(ask("a", count)))))));
        next();
        assertEquals(3, first(waiting.get(0)));
        assertProblem(ProblemType.KEY_REUSED, waiting.get(1));
        assertEquals(3, first(waiting.get(2)));
        assertEquals(4, next());
    }

    @Test
    void aKeyOfAnotherPeriodIsReplayedUnlessTheDateWasGiven() {
        CounterId later = new CounterId(ID.sequence(), "2027");
        next("order-1");
        Counter next = new Counter(later, terms, LIMITS, surroundings(store));
        assertEquals(1, allocation(next.submit(List.of(ask("order-1", 1)))).first());
        assertProblem(ProblemType.KEY_REUSED, next.submit(List.of(new Request.Allocate("order-1", 1, TODAY, true))));
    }

    @Test
    void aFailedLookUpIsTriedAgain() {
        rival.call(List.of(ask("old", 1)));
        store.onFind(failing(passing()));
        assertEquals(1, next("old").first());
        assertEquals(2, next());
    }

    /** A key that is known takes no number: in the plan it once took the last one, and its neighbour was told that nothing is left. */
    @Test
    void aReplayDoesNotTakeTheLastNumberFromItsNeighbour() {
        rival.call(List.of(ask("old", 1), ask(null, 998)));
        Answers answers = counter.call(List.of(ask("old", 1), ask(null, 1)));
        assertEquals(List.of(1L, 1_000L), answers.answers().stream()
                .map(answer -> ((Outcome.Allocation) answer.orThrow()).first()).toList());
        assertEquals(List.of("read", "find [old]", "write"), store.log);
    }

    /** One bad member must not fail its neighbours. */
    @Test
    void exhaustedReusedAndReplayedOnesDoNotDisturbTheOthers() {
        rival.call(List.of(ask("old", 1), ask(null, 989)));
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onRead(after(() -> {
            waiting.add(counter.submit(List.of(ask(null, 11))));
            waiting.add(counter.submit(List.of(ask("old", 7))));
            waiting.add(counter.submit(List.of(ask("old", 1))));
            waiting.add(counter.submit(List.of(ask("new", 9))));
            waiting.add(counter.submit(List.of(ask(null, 1))));
            waiting.add(counter.submit(List.of(ask("old", 1))));
        }));
        assertEquals(991, next());
        assertEquals(9L, assertProblem(ProblemType.EXHAUSTED, waiting.get(0)).members().get("left"));
        assertProblem(ProblemType.KEY_REUSED, waiting.get(1));
        assertEquals(1, first(waiting.get(2)));
        assertEquals(992, first(waiting.get(3)));
        assertProblem(ProblemType.EXHAUSTED, waiting.get(4));
        assertEquals(1, first(waiting.get(5)));
    }

    // ---- advance, retire

    @Test
    void advanceMovesTheNextNumberButNeverBack() {
        next();
        assertEquals(new Outcome.Advanced(2, 500), advance(500));
        assertEquals(500, next());
        assertEquals(new Outcome.Advanced(501, 501), advance(7));
        assertEquals(501, next());
    }

    @Test
    void advanceBeyondTheEndIsRefused() {
        next();
        assertProblem(ProblemType.EXHAUSTED, counter.submit(List.of(new Request.Advance(1_001))));
        assertEquals(2, next());
    }

    @Test
    void everyAdvanceBeginsAnEpoch() {
        next();
        long before = counter.readEpoch();
        advance(1);
        assertTrue(counter.readEpoch() > before);
    }

    @Test
    void anAdvanceThatWasCountedUnnoticedIsNotCountedTwice() {
        next();
        store.onWrite(lostReply());
        assertEquals(new Outcome.Advanced(2, 500), advance(500));
    }

    @Test
    void theLedgerOfAGaplessSequenceTellsOfAnAdvance() {
        terms.stored = StaleTerms.of(Guarantee.GAPLESS, NUMBERS);
        terms.keep(terms.stored);
        next("a");
        advance(500);
        next("b");
        advance(500);
        assertEquals(List.of("1-1 false", "2-499 true", "500-500 false"), store.table.rowsFrom(ID, 1, 10).stream()
                .map(row -> row.first() + "-" + row.last() + " " + row.isAdvance()).toList());
    }

    @Test
    void advanceWaitsForItsTurnAmongTheOthers() {
        next();
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(counter.submit(List.of(ask(null, 1))));
            waiting.add(counter.submit(List.of(new Request.Advance(100))));
            waiting.add(counter.submit(List.of(ask(null, 1))));
        }));
        next();
        assertEquals(3, first(waiting.get(0)));
        assertEquals(new Outcome.Advanced(4, 100), waiting.get(1).join().only());
        assertEquals(100, first(waiting.get(2)));
    }

    @Test
    void anotherInstanceThatStillHoldsTheOldDefinitionObeysARetirement() {
        next("known");
        terms.stored = StaleTerms.retired(terms.stored);
        StaleTerms owners = new StaleTerms(terms.stored);
        new Counter(ID, owners, LIMITS, surroundings(store.table)).call(List.of(new Request.Renew()));

        assertEquals(ProblemType.RETIRED, assertThrows(ProblemException.class, this::next).type());
        assertEquals(1, next("known").first());
        assertProblem(ProblemType.RETIRED, counter.submit(List.of(new Request.Advance(9))));
    }

    // ---- restored tables

    @Test
    void anOldCopyOfTheTableIsRefusedUntilItIsAdvanced() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        next();
        store.table.restore(backup);

        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        assertEquals(new Outcome.Advanced(2, 4), advance(4));
        assertEquals(4, next());
    }

    @Test
    void anOldCopyIsRefusedUntilAnotherInstanceAdvancesIt() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.table.restore(backup);
        assertThrows(ProblemException.class, this::next);
        rival.call(List.of(new Request.Advance(3)));
        assertEquals(3, next());
    }

    /** The refused advance once left the restored state in memory, and the next call was served from it: 2 was handed out twice. */
    @Test
    void aRefusedAdvanceDoesNotHideARestoredTable() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.table.restore(backup);
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        assertProblem(ProblemType.EXHAUSTED, counter.submit(List.of(new Request.Advance(1_001))));
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
    }

    /** A renewal gives the restored counter a new epoch, which once was taken for the proof of an advance: 2 was handed out twice. */
    @Test
    void aRetirementOrRevivalDoesNotHideARestoredTable() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.table.restore(backup);
        rival.call(List.of(new Request.Renew()));
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        counter.call(List.of(new Request.Renew()));
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        advance(3);
        assertEquals(3, next());
    }

    @Test
    void anAdvanceThatDoesNotReachWhatWasHandedOutDoesNotEndTheRefusal() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        next();
        store.table.restore(backup);
        advance(3);
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        rival.call(List.of(new Request.Advance(4)));
        assertEquals(4, next());
    }

    @Test
    void aCounterThatIsGoneIsNotBegunAnewUntilItIsAdvanced() {
        next();
        next();
        store.table.remove(ID);
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, counter::readEpoch).type());
        assertEquals(new Outcome.Advanced(1, 3), advance(3));
        assertEquals(3, next());
    }

    @Test
    void aCounterBehindItsLedgerIsRefusedUntilItIsAdvanced() {
        rival.call(List.of(ask("old", 1)));
        store.table.remove(ID);
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, () -> next("new")).type());
        store.log.clear();
        assertEquals(ProblemType.ROLLED_BACK, assertThrows(ProblemException.class, this::next).type());
        assertEquals(List.of("read"), store.log);
        advance(2);
        assertEquals(2, next("new").first());
    }

    // ---- failures

    @Test
    void aReadThatFailsInPassingIsTriedAgainAfterAWait() {
        store.onRead(failing(passing()));
        store.onRead(failing(passing()));
        assertEquals(1, next());
        assertEquals(List.of(Duration.ofMillis(4), Duration.ofMillis(8)), time.sleeps);
    }

    @Test
    void aWriteThatSurelyDidNotArriveIsTriedAgain() {
        next();
        store.onWrite(failing(passing()));
        assertEquals(2, next());
    }

    @Test
    void aLastingFailureIsToldAtOnce() {
        store.onRead(failing(lasting()));
        ProblemException problem = assertThrows(ProblemException.class, this::next);
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem.type());
        assertEquals("Reading failed: 403.", problem.getMessage());
        assertEquals(List.of(), time.sleeps);
        assertEquals(1, next());
    }

    @Test
    void aMissingTableIsToldAndNothingBeginsAnew() {
        Counter lost = new Counter(ID, terms, LIMITS, surroundings(MemoryCounterStore.withoutTable()));
        ProblemException problem = assertProblem(ProblemType.STORAGE_UNAVAILABLE, lost.submit(List.of(ask(null, 1))));
        assertTrue(problem.getMessage().contains(MemoryCounterStore.TABLE), problem.getMessage());
    }

    @Test
    void tooManyLossesAreContentionAndConsumeNothing() {
        Counter impatient = counter(attempts(3));
        first(impatient.submit(List.of(ask(null, 1))));
        for (int attempt = 0; attempt < 3; attempt++) {
            store.onWrite(after(this::rivalNext));
        }
        ProblemException problem = assertProblem(ProblemType.CONTENTION, impatient.submit(List.of(ask(null, 1))));
        assertEquals(3, problem.members().get("attempts"));
        assertEquals(5, rivalNext());
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
        assertEquals(ProblemType.OUTCOME_UNKNOWN, assertThrows(ProblemException.class, this::next).type());
    }

    /** It was told that the storage is unavailable, as if nothing had been written. */
    @Test
    void aWriteThatCannotBeResolvedForALastingFailureIsUnknown() {
        next();
        store.onWrite(lostReply());
        store.onRead(failing(lasting()));
        assertEquals(ProblemType.OUTCOME_UNKNOWN, assertThrows(ProblemException.class, this::next).type());
        assertEquals(3, next());
    }

    @Test
    void lossesUntilTheDeadlineAreContention() {
        next();
        for (int attempt = 0; attempt < 40; attempt++) {
            store.onWrite(after(() -> {
                time.pass(Duration.ofSeconds(3));
                rivalNext();
            }));
        }
        assertEquals(ProblemType.CONTENTION, assertThrows(ProblemException.class, this::next).type());
    }

    /** Each loss admits a newcomer, so a group need never end: its first caller led it on long after its own deadline. */
    @Test
    void noCallerLeadsForOthersAfterItsOwnDeadline() {
        next();
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        Counter busy = new Counter(ID, terms, LIMITS, new Counter.Surroundings(store, time, () -> 0.5, otherThreads::add));
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        for (int attempt = 0; attempt < 40; attempt++) {
            store.onWrite(after(() -> {
                time.pass(Duration.ofSeconds(1));
                rivalNext();
                newcomers.add(busy.submit(List.of(ask(null, 1))));
            }));
        }
        CompletableFuture<Answers> own = busy.submit(List.of(ask(null, 1)));
        assertTrue(time.nanoTime() < Duration.ofSeconds(12).toNanos(), () -> "It was kept for " + Duration.ofNanos(time.nanoTime()));
        otherThreads.remove().run();
        assertProblem(ProblemType.CONTENTION, own);
        assertTrue(newcomers.stream().allMatch(CompletableFuture::isDone), "Somebody was left waiting.");
        assertEquals(0, otherThreads.size());
    }

    @Test
    void aFullLineIsOverloaded() {
        Counter small = counter(new CounterLimits(50, LIMITS.deadline(), LIMITS.backoff(), BURST, 3));
        List<RuntimeException> refusals = new ArrayList<>();
        store.onRead(after(() -> IntStream.range(0, 5).forEach(caller -> {
            try {
                small.submit(List.of(ask(null, 1)));
            } catch (ProblemException e) {
                refusals.add(e);
            }
        })));
        assertEquals(1, first(small.submit(List.of(ask(null, 1)))));
        assertEquals(3, refusals.size());
        assertEquals(ProblemType.OVERLOADED, ((ProblemException) refusals.get(0)).type());
        assertEquals(4, first(small.submit(List.of(ask(null, 1)))));
    }

    @Test
    void whoseTurnDoesNotComeInTimeIsOverloaded() {
        List<ProblemException> refusals = new ArrayList<>();
        store.onRead(after(() -> refusals.add(assertThrows(ProblemException.class, () -> counter.call(List.of(ask(null, 1)))))));
        counter.submit(List.of(ask(null, 1)));
        assertEquals(List.of(ProblemType.OVERLOADED), refusals.stream().map(ProblemException::type).toList());
        assertEquals(1, next());
    }

    /** It was told of contention, though nobody else had written. */
    @Test
    void whoseTimeIsOverBeforeItsFirstAttemptIsOverloadedToo() {
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(counter.submit(List.of(ask(null, 1))));
            time.pass(LIMITS.deadline());
        }));
        assertEquals(1, next());
        assertProblem(ProblemType.OVERLOADED, waiting.get(0));
        assertEquals(2, next());
    }

    @Test
    void anErrorReachesEveryMemberAndTheCounterGoesOn() {
        next();
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.range(0, 3).forEach(caller -> waiting.add(counter.submit(List.of(ask(null, 1)))))));
        store.onWrite(breaking(new LinkageError("no parser")));
        assertEquals(2, next());
        for (CompletableFuture<Answers> answers : waiting) {
            RuntimeException failure = assertThrows(RuntimeException.class, answers.join()::only);
            assertTrue(failure.getMessage().contains("no parser"), failure.getMessage());
        }
        assertEquals(3, next());
    }

    @Test
    void anErrorAfterTheWriteHasWonSkipsItsNumber() {
        next();
        store.onWrite(request -> () -> {
            request.get();
            throw new LinkageError("no parser");
        });
        assertThrows(RuntimeException.class, this::next);
        assertEquals(3, next());
    }

    @Test
    void anErrorWhileReadingReachesItsCaller() {
        store.onRead(breaking(new StackOverflowError()));
        assertThrows(RuntimeException.class, this::next);
        assertEquals(1, next());
    }

    @Test
    void withoutAnotherThreadTheFirstCallerServesTheOthers() {
        Counter alone = new Counter(ID, terms, LIMITS, new Counter.Surroundings(store, time, () -> 0.5, task -> {
            throw new RejectedExecutionException();
        }));
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onRead(request -> {
            waiting.add(alone.submit(List.of(new Request.Advance(100))));
            waiting.add(alone.submit(List.of(ask(null, 1))));
            return request;
        });
        assertEquals(1, first(alone.submit(List.of(ask(null, 1)))));
        assertEquals(100, first(waiting.get(1)));
    }

    /** The refused group's plan went on with whoever came next, and was written after all. */
    @Test
    void whatWasRefusedForGoodIsNeverWritten() {
        next();
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        Counter busy = new Counter(ID, terms, LIMITS, new Counter.Surroundings(store, time, () -> 0.5, otherThreads::add));
        List<CompletableFuture<Answers>> newcomers = new ArrayList<>();
        store.onWrite(request -> () -> {
            newcomers.add(busy.submit(List.of(ask("newcomer", 1))));
            throw new StoreFailure("Forbidden.", false, null);
        });
        assertProblem(ProblemType.STORAGE_UNAVAILABLE, busy.submit(List.of(ask("refused", 3))));
        otherThreads.remove().run();
        assertEquals(2, first(newcomers.get(0)));
        assertEquals(Set.of("newcomer"), store.table.find(ID.sequence(), List.of("refused", "newcomer")).keySet());
    }

    @Test
    void aThreadThatIsToBeHadAgainTakesTheLeadFromTheFirstCaller() {
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        List<Runnable> refused = new ArrayList<>();
        Counter scarce = new Counter(ID, terms, LIMITS, new Counter.Surroundings(store, time, () -> 0.5, task -> {
            if (refused.isEmpty()) {
                refused.add(task);
                throw new OutOfMemoryError("unable to create native thread");
            }
            otherThreads.add(task);
        }));
        List<CompletableFuture<Answers>> waiting = new ArrayList<>();
        store.onRead(after(() -> waiting.add(scarce.submit(List.of(new Request.Advance(100))))));
        store.onWrite(request -> request);
        store.onWrite(after(() -> waiting.add(scarce.submit(List.of(ask(null, 1))))));
        assertEquals(1, first(scarce.submit(List.of(ask(null, 1)))));
        assertTrue(waiting.get(0).isDone());
        assertFalse(waiting.get(1).isDone(), "The first caller leads on, though there is a thread again.");
        otherThreads.remove().run();
        assertEquals(100, first(waiting.get(1)));
    }

    @Test
    void anInterruptedThreadEndsItsCallAndStaysInterrupted() {
        next();
        store.onWrite(request -> () -> {
            Thread.currentThread().interrupt();
            return new WriteResult.Lost(WriteResult.Reason.CHANGED);
        });
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, assertThrows(ProblemException.class, this::next).type());
        assertTrue(Thread.interrupted());
        assertEquals(2, next());
    }

    @Test
    void aClosedCounterTakesNoMoreCalls() {
        next();
        counter.close();
        assertEquals(ProblemType.OVERLOADED, assertThrows(ProblemException.class, this::next).type());
    }

    // ---- definitions

    @Test
    void theDefinitionIsReadAnewBeforeTheCounterIsOpened() {
        Series later = new Series(100, 1, 1, 1_000, false);
        terms.keep(StaleTerms.unpinned(terms.stored));
        terms.stored = StaleTerms.of(Guarantee.STRICT, later);
        assertEquals(100, next());
    }

    @Test
    void aDefinitionThatWasNotPinnedIsReadAnewOnceThereIsACounter() {
        rival.call(List.of(ask(null, 1)));
        terms.keep(StaleTerms.unpinned(StaleTerms.of(Guarantee.STRICT, new Series(1, 7, 1, 1_000, false))));
        assertEquals(2, next());
        assertEquals(3, next());
    }

    private Counter counter(CounterLimits limits) {
        return new Counter(ID, terms, limits, surroundings(store));
    }

    private Counter.Surroundings surroundings(CounterStore over) {
        return new Counter.Surroundings(over, time, () -> 0.5, Runnable::run);
    }

    private static CounterLimits attempts(int maxAttempts) {
        return new CounterLimits(maxAttempts, LIMITS.deadline(), LIMITS.backoff(), BURST, LIMITS.maxWaitingCalls());
    }

    private static Request ask(String key, int count) {
        return new Request.Allocate(key, count, TODAY, false);
    }

    private long next() {
        return next(null).first();
    }

    private Outcome.Allocation next(String key) {
        return (Outcome.Allocation) counter.call(List.of(ask(key, 1))).only();
    }

    private Outcome advance(long nextAtLeast) {
        return counter.call(List.of(new Request.Advance(nextAtLeast))).only();
    }

    private long rivalNext() {
        return ((Outcome.Allocation) rival.call(List.of(ask(null, 1))).only()).first();
    }

    private static Outcome.Allocation allocation(CompletableFuture<Answers> answers) {
        assertTrue(answers.isDone(), "It was left waiting.");
        return (Outcome.Allocation) answers.join().only();
    }

    private static long first(CompletableFuture<Answers> answers) {
        return allocation(answers).first();
    }

    private static ProblemException assertProblem(ProblemType type, CompletableFuture<Answers> answers) {
        assertTrue(answers.isDone(), "It was left waiting.");
        ProblemException problem = assertThrows(ProblemException.class, answers.join()::only);
        assertEquals(type, problem.type(), problem::getMessage);
        return problem;
    }
}
