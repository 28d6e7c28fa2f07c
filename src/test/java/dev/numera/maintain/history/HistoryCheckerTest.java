package dev.numera.maintain.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.history.Fairness;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.maintain.history.ObservedOutcome.Allocated;
import dev.numera.maintain.history.ObservedOutcome.NoNumbers;
import dev.numera.maintain.history.Violation.Rule;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCheckerTest {
    private static final Progression DOWN = new Progression(100, -5, -1000, 100);
    private static final Progression ODD = new Progression(1, 2, 1, 1000);

    @Test
    void aSoundHistoryWithOverlapsReplaysAndFailures() {
        List<ObservedCall> calls = List.of(
                call(0, 10, null, answer(1, 3)),
                call(5, 15, null, answer(6, 7)),
                call(6, 14, null, answer(4, 5)),
                call(20, 30, "a", answer(8, 8)),
                call(40, 50, "a", replay(8, 8)),
                call(41, 51, null, failure("overloaded")),
                call(60, 70, null, answer(12, 12)));

        assertSound(new HistoryChecker(Progression.DEFAULT, calls).strict());
    }

    @Test
    void aSoundHistoryThatCountsDownByFives() {
        List<ObservedCall> calls = List.of(
                call(0, 10, null, new Allocated(100, 90, 3, -5, false)),
                call(20, 30, null, new Allocated(85, 85, 1, -5, false)),
                call(25, 35, null, new Allocated(75, 70, 2, -5, false)),
                call(26, 35, null, new Allocated(80, 80, 1, -5, false)));

        assertSound(new HistoryChecker(DOWN, calls).strict());
    }

    @Test
    void aSoundGaplessHistoryWithAnAdvanceAndAnUnansweredAllocation() {
        List<ObservedCall> calls = List.of(
                call(0, 10, "a", answer(1, 2)),
                call(11, 12, "b", failure("urn:problem-type:numera:outcome-unknown")),
                call(13, 14, "c", answer(10, 10)));
        List<LedgerEntry> ledger = List.of(entry("a", 1, 2), entry("b", 3, 3), advance(4, 9), entry("c", 10, 10));

        assertSound(new HistoryChecker(Progression.DEFAULT, calls).gapless(ledger));
    }

    @Test
    void emptyHistoriesAreSound() {
        assertSound(new HistoryChecker(Progression.DEFAULT, List.of()).gapless(List.of()));
    }

    @Test
    void theSameNumberTwice() {
        ObservedCall first = call(0, 10, null, answer(1, 5));
        ObservedCall inside = call(0, 10, null, answer(3, 3));
        ObservedCall after = call(0, 10, null, answer(5, 6));

        assertBroken(
                Rule.DISTINCT,
                new HistoryChecker(Progression.DEFAULT, List.of(first, inside, after)).cached(),
                List.of(first, inside),
                List.of(first, after));
    }

    @Test
    void theSameNumberTwiceUnderTwoKeysOrInAReplayWithoutAKey() {
        ObservedCall a = call(0, 10, "a", answer(1, 1));
        ObservedCall b = call(0, 10, "b", answer(1, 1));
        assertBroken(Rule.DISTINCT, new HistoryChecker(Progression.DEFAULT, List.of(a, b)).strict(), List.of(a, b));

        ObservedCall keyless = call(0, 10, null, replay(1, 1));
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, List.of(a, keyless));
        assertBroken(Rule.DISTINCT, checker.distinct(), List.of(keyless, a));
        assertBroken(Rule.SHAPE, checker.shape(), List.of(keyless));
    }

    @Test
    void theSameNumberTwiceCountingDown() {
        ObservedCall first = call(0, 10, null, new Allocated(100, 90, 3, -5, false));
        ObservedCall second = call(0, 10, null, new Allocated(90, 85, 2, -5, false));

        assertBroken(Rule.DISTINCT, new HistoryChecker(DOWN, List.of(first, second)).strict(), List.of(second, first));
    }

    @Test
    void rangesThatInterlockWithoutACommonNumberAreDistinct() {
        List<ObservedCall> calls = List.of(
                call(0, 10, null, new Allocated(1, 9, 5, 2, false)),
                call(0, 10, null, new Allocated(2, 10, 5, 2, false)));
        HistoryChecker checker = new HistoryChecker(ODD, calls);

        assertSound(checker.distinct());
        assertBroken(Rule.SHAPE, checker.shape(), List.of(calls.get(1)));
    }

    @Test
    void reportsASmallerNumberOfALaterCall() {
        ObservedCall early = call(0, 10, null, answer(5, 5));
        ObservedCall between = call(5, 12, null, answer(1, 1));
        ObservedCall late = call(11, 20, null, answer(3, 3));

        assertBroken(
                Rule.REAL_TIME_ORDER,
                new HistoryChecker(Progression.DEFAULT, List.of(late, between, early)).strict(),
                List.of(early, late));
    }

    @Test
    void reportsAGreaterNumberOfALaterCallCountingDown() {
        ObservedCall early = call(0, 10, null, new Allocated(90, 85, 2, -5, false));
        ObservedCall late = call(11, 20, null, new Allocated(95, 95, 1, -5, false));

        assertBroken(
                Rule.REAL_TIME_ORDER, new HistoryChecker(DOWN, List.of(early, late)).strict(), List.of(early, late));
    }

    @Test
    void cachedPromisesNoOrder() {
        List<ObservedCall> calls = List.of(call(0, 10, null, answer(5, 5)), call(11, 20, null, answer(3, 3)));

        assertSound(new HistoryChecker(Progression.DEFAULT, calls).cached());
    }

    @Test
    void answersThatTouchInTimeMayHaveAnyOrder() {
        List<ObservedCall> calls = List.of(call(0, 10, null, answer(2, 2)), call(10, 20, null, answer(1, 1)));

        assertSound(new HistoryChecker(Progression.DEFAULT, calls).strict());
    }

    @Test
    void replayIsJudgedByTheTimeOfTheFirstRequestForItsKey() {
        ObservedCall unknown = call(0, 5, "a", failure(NoNumbers.NO_ANSWER));
        ObservedCall other = call(6, 10, null, answer(2, 2));
        ObservedCall again = call(11, 20, "a", replay(1, 1));
        assertSound(new HistoryChecker(Progression.DEFAULT, List.of(unknown, other, again)).strict());

        ObservedCall earlier = call(0, 10, null, answer(7, 7));
        ObservedCall startedAfter = call(11, 12, "b", failure("outcome-unknown"));
        ObservedCall answered = call(13, 14, "b", replay(6, 6));
        assertBroken(
                Rule.REAL_TIME_ORDER,
                new HistoryChecker(Progression.DEFAULT, List.of(earlier, startedAfter, answered)).strict(),
                List.of(earlier, answered));
    }

    @Test
    void aReplayOfNumbersFromBeforeTheHistoryHasNoOrder() {
        List<ObservedCall> calls = List.of(call(0, 10, null, answer(7, 7)), call(11, 20, "old", replay(3, 3)));

        assertSound(new HistoryChecker(Progression.DEFAULT, calls).strict());
    }

    @Test
    void aReplayMustFollowTheFirstAnswerOfItsKey() {
        ObservedCall answered = call(0, 10, "a", answer(5, 5));
        ObservedCall replayed = call(30, 40, "a", replay(5, 5));
        ObservedCall between = call(11, 20, null, answer(4, 4));

        assertBroken(
                Rule.REAL_TIME_ORDER,
                new HistoryChecker(Progression.DEFAULT, List.of(replayed, answered, between)).strict(),
                List.of(answered, between));
    }

    @Test
    void oneKeyWithTwoAllocations() {
        ObservedCall first = call(0, 10, "a", answer(1, 1));
        ObservedCall second = call(11, 20, "a", answer(2, 2));

        assertBroken(
                Rule.ONE_KEY_ONE_ALLOCATION,
                new HistoryChecker(Progression.DEFAULT, List.of(first, second)).oneKeyOneAllocation(),
                List.of(first, second));
    }

    @Test
    void numbersThatARepeatedKeyGotWronglyCountAsAllocated() {
        ObservedCall first = call(0, 10, "a", answer(1, 1));
        ObservedCall second = call(11, 20, "a", answer(2, 2));
        ObservedCall third = call(21, 30, null, answer(2, 2));

        assertBroken(
                Rule.DISTINCT,
                new HistoryChecker(Progression.DEFAULT, List.of(first, second, third)).distinct(),
                List.of(second, third));
    }

    @Test
    void answersOfTheWrongShape() {
        assertMisshaped(call(0, 1, null, 3, new Allocated(1, 2, 2, 1, false)));
        assertMisshaped(call(0, 1, null, 2, new Allocated(1, 3, 2, 1, false)));
        assertMisshaped(call(0, 1, null, 2, new Allocated(1, 3, 2, 2, false)));
        assertMisshaped(call(0, 1, null, 1, new Allocated(0, 0, 1, 1, false)));
        assertMisshaped(call(0, 1, null, 2, new Allocated(1L << 53, (1L << 53) + 1, 2, 1, false)));
        assertMisshaped(call(0, 1, null, 1, replay(1, 1)));
    }

    private static void assertMisshaped(ObservedCall call) {
        assertBroken(Rule.SHAPE, new HistoryChecker(Progression.DEFAULT, List.of(call)).strict(), List.of(call));
    }

    @Test
    void answersThatAreNoNumbersOfASteppedSeries() {
        ObservedCall offStep = call(0, 1, null, new Allocated(98, 98, 1, -5, false));
        ObservedCall beforeStart = call(0, 1, null, new Allocated(105, 105, 1, -5, false));

        assertBroken(
                Rule.SHAPE,
                new HistoryChecker(DOWN, List.of(offStep, beforeStart)).strict(),
                List.of(offStep),
                List.of(beforeStart));
    }

    @Test
    void aLedgerWithAGapAnOverlapOrALateStart() {
        HistoryChecker none = new HistoryChecker(Progression.DEFAULT, List.of());

        assertBroken(Rule.LEDGER_COMPLETE, none.ledgerComplete(List.of(entry("a", 1, 2), entry("b", 4, 4))), List.of());
        assertBroken(Rule.LEDGER_COMPLETE, none.ledgerComplete(List.of(entry("a", 1, 2), entry("b", 2, 4))), List.of());
        assertBroken(Rule.LEDGER_COMPLETE, none.ledgerComplete(List.of(entry("a", 2, 2))), List.of());
        assertBroken(
                Rule.LEDGER_COMPLETE,
                none.ledgerComplete(
                        List.of(new LedgerEntry(LedgerEntry.EntryKind.ALLOCATION, "a", 1, 3, 2), entry("b", 4, 4))),
                List.of());
    }

    @Test
    void whatIsWrongInTheLedgerIsASentence() {
        List<LedgerEntry> ledger = List.of(
                entry("a", 1, 2),
                new LedgerEntry(LedgerEntry.EntryKind.IMPORT, "b", 4, 4, 2),
                advance(6, 9),
                new LedgerEntry(LedgerEntry.EntryKind.ALLOCATION, null, 10, 10, 1));

        assertEquals(
                List.of(
                        "3 is next, but the ledger continues with number 4 of key 'b', imported",
                        "the ledger counts 2 numbers in number 4 of key 'b', imported",
                        "5 is next, but the ledger continues with numbers 6 to 9, skipped by an advance"),
                new HistoryChecker(Progression.DEFAULT, List.of())
                        .ledgerComplete(ledger).stream().map(Violation::what).toList());
    }

    @Test
    void aLedgerCountsDownToo() {
        HistoryChecker none = new HistoryChecker(DOWN, List.of());
        LedgerEntry first = new LedgerEntry(LedgerEntry.EntryKind.ALLOCATION, "a", 100, 90, 3);

        assertSound(
                none.ledgerComplete(List.of(first, new LedgerEntry(LedgerEntry.EntryKind.ALLOCATION, "b", 85, 85, 1))));
        assertBroken(
                Rule.LEDGER_COMPLETE,
                none.ledgerComplete(List.of(first, new LedgerEntry(LedgerEntry.EntryKind.ALLOCATION, "b", 80, 80, 1))),
                List.of());
    }

    @Test
    void ledgerThatDiffersFromTheAnswers() {
        ObservedCall answered = call(0, 1, "a", answer(1, 2));
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, List.of(answered));

        assertBroken(Rule.LEDGER_AS_ANSWERED, checker.gapless(List.of()), List.of(answered));
        assertBroken(Rule.LEDGER_AS_ANSWERED, checker.gapless(List.of(entry("a", 1, 3))), List.of(answered));
        assertBroken(
                Rule.ONE_KEY_ONE_ALLOCATION, checker.gapless(List.of(entry("a", 1, 2), entry("a", 3, 3))), List.of());
    }

    @Test
    void ledgerEntryThatNoCallCanHaveCaused() {
        ObservedCall refused = call(0, 1, "b", failure("urn:problem-type:numera:overloaded"));
        List<LedgerEntry> ledger = List.of(entry("b", 1, 1));

        assertBroken(
                Rule.LEDGER_AS_ANSWERED, new HistoryChecker(Progression.DEFAULT, List.of()).gapless(ledger), List.of());
        assertBroken(
                Rule.REFUSED_CONSUMED_NOTHING,
                new HistoryChecker(Progression.DEFAULT, List.of(refused)).gapless(ledger),
                List.of(refused));
        assertBroken(
                Rule.LEDGER_AS_ANSWERED,
                new HistoryChecker(Progression.DEFAULT, List.of())
                        .gapless(List.of(new LedgerEntry(LedgerEntry.EntryKind.ADVANCE, "b", 1, 1, 1))),
                List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"outcome-unknown", "urn:problem-type:numera:outcome-unknown", NoNumbers.NO_ANSWER})
    void aFailureThatMayHaveCommittedExplainsAnEntry(String problem) {
        List<ObservedCall> calls = List.of(call(0, 1, "a", failure(problem)));

        assertSound(new HistoryChecker(Progression.DEFAULT, calls).gapless(List.of(entry("a", 1, 1))));
        assertSound(new HistoryChecker(Progression.DEFAULT, calls).gapless(List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"contention", "urn:problem-type:numera:overloaded", "suspended"})
    void aRefusalExplainsNoEntry(String problem) {
        ObservedCall refused = call(0, 1, "a", failure(problem));
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, List.of(refused));

        assertBroken(Rule.REFUSED_CONSUMED_NOTHING, checker.gapless(List.of(entry("a", 1, 1))), List.of(refused));
        assertSound(checker.gapless(List.of()));
    }

    @Test
    void aReplayNeedsACallThatWasNotRefused() {
        ObservedCall refused = call(0, 10, "a", failure("contention"));
        ObservedCall replayed = call(11, 20, "a", replay(1, 1));
        ObservedCall unknown = call(0, 10, "a", failure("outcome-unknown"));

        assertBroken(
                Rule.REFUSED_CONSUMED_NOTHING,
                new HistoryChecker(Progression.DEFAULT, List.of(refused, replayed)).replaysExplained(),
                List.of(refused, replayed));
        assertSound(new HistoryChecker(Progression.DEFAULT, List.of(unknown, replayed)).replaysExplained());
        assertSound(new HistoryChecker(Progression.DEFAULT, List.of(refused)).replaysExplained());
    }

    @Test
    void aNumberThatIsMissingWasConsumedByARefusal() {
        ObservedCall first = call(0, 10, null, answer(1, 1));
        ObservedCall refused = call(11, 20, null, failure("overloaded"));
        ObservedCall third = call(21, 30, null, answer(3, 3));

        assertBroken(
                Rule.REFUSED_CONSUMED_NOTHING,
                new HistoryChecker(Progression.DEFAULT, List.of(first, refused, third)).refusedConsumedNothing(),
                List.of(first, third));
        assertBroken(
                Rule.REFUSED_CONSUMED_NOTHING,
                new HistoryChecker(Progression.DEFAULT, List.of(third)).refusedConsumedNothing(),
                List.of(third));
    }

    @Test
    void aMissingNumberIsExplainedByAsManyUnknownCallsAsWereSentInTime() {
        ObservedCall first = call(0, 10, null, answer(1, 1));
        ObservedCall unknown = call(11, 20, null, 2, failure("outcome-unknown"));
        ObservedCall keyed = call(11, 20, "a", failure(NoNumbers.NO_ANSWER));
        ObservedCall again = call(21, 22, "a", failure(NoNumbers.NO_ANSWER));

        assertSound(skips(first, unknown, call(21, 30, null, answer(4, 4))));
        assertSound(skips(first, unknown, keyed, again, call(21, 30, null, answer(5, 5))));
        ObservedCall tooFar = call(21, 30, null, answer(6, 6));
        assertBroken(
                Rule.REFUSED_CONSUMED_NOTHING, skips(first, unknown, keyed, again, tooFar), List.of(first, tooFar));
    }

    @Test
    void anUnknownCallThatWasSentAfterTheNextAnswerExplainsNothingBeforeIt() {
        ObservedCall first = call(0, 10, null, answer(1, 1));
        ObservedCall third = call(11, 20, null, answer(3, 3));
        ObservedCall late = call(21, 30, null, failure("outcome-unknown"));
        ObservedCall sixth = call(31, 40, null, answer(6, 6));

        assertBroken(Rule.REFUSED_CONSUMED_NOTHING, skips(first, third, late), List.of(first, third));
        assertBroken(
                Rule.REFUSED_CONSUMED_NOTHING,
                skips(first, third, late, sixth),
                List.of(first, third),
                List.of(third, sixth));
    }

    @Test
    void aKeyWhoseNumbersWereAnsweredExplainsNoOthers() {
        ObservedCall unknown = call(0, 10, "a", failure(NoNumbers.NO_ANSWER));
        ObservedCall again = call(11, 20, "a", replay(1, 1));
        ObservedCall third = call(21, 30, null, answer(3, 3));

        assertBroken(Rule.REFUSED_CONSUMED_NOTHING, skips(unknown, again, third), List.of(again, third));
    }

    @Test
    void whatAnAdvanceSkippedIsTakenByIt() {
        ObservedCall first = call(0, 10, null, answer(1, 1));
        ObservedCall advance = advanceCall(11, 20, answer(2, 9));
        ObservedCall next = call(21, 30, null, answer(10, 10));
        ObservedCall within = call(21, 30, null, answer(5, 5));

        assertSound(
                new HistoryChecker(Progression.DEFAULT, List.of(first, advance, next)).strictWithoutLoss(List.of()));
        assertBroken(
                Rule.DISTINCT,
                new HistoryChecker(Progression.DEFAULT, List.of(first, advance, within)).distinct(),
                List.of(advance, within));
        assertBroken(
                Rule.REAL_TIME_ORDER,
                new HistoryChecker(Progression.DEFAULT, List.of(first, advance, within)).realTimeOrder(),
                List.of(advance, within));
        ObservedCall unanswered = advanceCall(11, 20, failure("outcome-unknown"));
        assertBroken(Rule.REFUSED_CONSUMED_NOTHING, skips(first, unanswered, next), List.of(first, next));
    }

    @Test
    void anAdvanceIsInTheLedgerOfAGaplessSequence() {
        ObservedCall first = call(0, 10, "a", answer(1, 1));
        ObservedCall advance = advanceCall(11, 20, answer(2, 9));
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, List.of(first, advance));

        assertSound(checker.gapless(List.of(entry("a", 1, 1), advance(2, 9))));
        assertBroken(Rule.LEDGER_AS_ANSWERED, checker.gapless(List.of(entry("a", 1, 1))), List.of(advance));
    }

    @Test
    void onStrictOnlyCallsWithAKeyAreInTheLedger() {
        ObservedCall keyless = call(0, 10, null, answer(1, 1));
        ObservedCall keyed = call(11, 20, "a", answer(2, 2));
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, List.of(keyless, keyed));

        assertSound(checker.strictWithoutLoss(List.of(entry("a", 2, 2))));
        assertBroken(Rule.LEDGER_AS_ANSWERED, checker.strictWithoutLoss(List.of()), List.of(keyed));
    }

    private static List<Violation> skips(ObservedCall... calls) {
        return new HistoryChecker(Progression.DEFAULT, List.of(calls)).refusedConsumedNothing();
    }

    private static ObservedCall advanceCall(long startNanos, long answeredNanos, ObservedOutcome outcome) {
        int count = outcome instanceof Allocated numbers ? numbers.count() : 1;
        return new ObservedCall(
                "process", "owner", startNanos, answeredNanos, null, count, outcome, ObservedCall.Purpose.ADVANCE);
    }

    @Test
    void gaplessAnswersNeedAKey() {
        ObservedCall keyless = call(0, 1, null, answer(1, 1));

        assertBroken(
                Rule.LEDGER_AS_ANSWERED,
                new HistoryChecker(Progression.DEFAULT, List.of(keyless)).gapless(List.of()),
                List.of(keyless));
    }

    @Test
    void longHistoriesAreSortedAndSweptNotComparedPairByPair() {
        int length = 100_000;
        List<ObservedCall> calls = new ArrayList<>(LongStream.rangeClosed(1, length)
                .mapToObj(n -> call(10 * n, 10 * n + 500, n % 2 == 0 ? "key-" + n : null, answer(n, n)))
                .toList());
        ObservedCall twice = call(8 * length, 8 * length + 1, null, answer(length / 2, length / 2));
        calls.add(twice);
        Collections.shuffle(calls, new Random(1));

        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, calls);

        // The CPU time of this thread only, so that other load on the machine fails no test.
        ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
        long beganNanos = cpu.getCurrentThreadCpuTime();
        assertEquals(1, checker.distinct().size());
        assertEquals(
                List.of(twice),
                checker.realTimeOrder().stream()
                        .map(violation -> violation.calls().get(1))
                        .toList());
        assertTrue(cpu.getCurrentThreadCpuTime() - beganNanos
                < Duration.ofSeconds(10).toNanos());
    }

    @Test
    void theAssertionPrintsTenViolationsAndTheirCalls() {
        SoundHistory.require(List.of());
        List<ObservedCall> sameNumber = LongStream.range(0, 20)
                .mapToObj(n -> call(0, 10, null, answer(1, 1)))
                .toList();

        AssertionError error = assertThrows(
                AssertionError.class,
                () -> SoundHistory.require(new HistoryChecker(Progression.DEFAULT, sameNumber).strict()));

        assertTrue(error.getMessage().startsWith("19 violations"), error.getMessage());
        assertEquals(
                10,
                error.getMessage()
                        .lines()
                        .filter(line -> line.contains("DISTINCT: number 1 was"))
                        .count());
        assertEquals(
                20,
                error.getMessage()
                        .lines()
                        .filter(line -> line.contains("caller=caller"))
                        .count());
    }

    @Test
    void aHistoryNotesTimesAndOutcomesOfCallsThatThrowToo() {
        History history = new History();
        Allocated numbers = answer(1, 1);

        assertSame(numbers, history.call("p", "c", "a", 1, () -> numbers));
        assertThrows(
                IOException.class,
                () -> history.call("p", "c", "a", 1, () -> {
                    throw new IOException("reset");
                }));

        List<ObservedCall> calls = history.calls();
        assertEquals(
                List.of(numbers, failure(NoNumbers.NO_ANSWER)),
                calls.stream().map(ObservedCall::outcome).toList());
        assertTrue(calls.get(0).answeredNanos() <= calls.get(1).startNanos());
        assertThrows(IllegalArgumentException.class, () -> call(2, 1, null, numbers));
    }

    @Test
    void fairnessCountsAnsweredCallsAndTheirWaits() {
        List<ObservedCall> calls = new ArrayList<>(LongStream.rangeClosed(1, 100)
                .mapToObj(n -> new ObservedCall(n <= 75 ? "p1" : "p2", "c", 0, n, null, 1, answer(n, n)))
                .toList());
        calls.add(new ObservedCall("p3", "c", 0, 1000, null, 1, failure("overloaded")));

        Fairness fairness = Fairness.of(calls);

        assertEquals(Map.of("p1", 75L, "p2", 25L, "p3", 0L), fairness.servedByProcess());
        assertEquals(Map.of("p1/c", 75L, "p2/c", 25L, "p3/c", 0L), fairness.servedByCaller());
        assertEquals(Map.of("overloaded", 1L), fairness.failures());
        assertEquals(List.of(50L, 99L, 100L), List.of(fairness.p50Nanos(), fairness.p99Nanos(), fairness.maxNanos()));
        assertEquals(0, fairness.leastShareOfMean());
        assertEquals(0.5, Fairness.of(calls.subList(0, 100)).leastShareOfMean());
        assertEquals(0, Fairness.of(List.of()).maxNanos());
    }

    private static ObservedCall call(long startNanos, long answeredNanos, String key, ObservedOutcome outcome) {
        return call(
                startNanos, answeredNanos, key, outcome instanceof Allocated numbers ? numbers.count() : 1, outcome);
    }

    private static ObservedCall call(
            long startNanos, long answeredNanos, String key, int count, ObservedOutcome outcome) {
        return new ObservedCall("process", "caller", startNanos, answeredNanos, key, count, outcome);
    }

    private static Allocated answer(long first, long last) {
        return new Allocated(first, last, (int) (last - first + 1), 1, false);
    }

    private static Allocated replay(long first, long last) {
        return new Allocated(first, last, (int) (last - first + 1), 1, true);
    }

    private static NoNumbers failure(String problem) {
        return new NoNumbers(problem);
    }

    private static LedgerEntry entry(String key, long first, long last) {
        return new LedgerEntry(LedgerEntry.EntryKind.ALLOCATION, key, first, last, last - first + 1);
    }

    private static LedgerEntry advance(long first, long last) {
        return new LedgerEntry(LedgerEntry.EntryKind.ADVANCE, null, first, last, last - first + 1);
    }

    private static void assertSound(List<Violation> violations) {
        assertEquals(List.of(), violations);
    }

    /** Requires exactly these violations, all of one rule, each with its calls. */
    private static void assertBroken(Rule rule, List<Violation> violations, List<?>... calls) {
        violations.forEach(violation -> assertFalse(
                violation.what().contains("["), () -> "A reader knows no Java record: " + violation.what()));
        assertEquals(List.of(calls), violations.stream().map(Violation::calls).toList(), violations::toString);
        assertEquals(
                List.of(rule),
                violations.stream().map(Violation::rule).distinct().toList());
    }
}
