package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.contract.CounterStates;
import dev.numera.contract.Defined;
import dev.numera.contract.Transactions;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(10), TestClock.alone());
    private static final CounterId ID = new CounterId(new SequenceName("Test", "invoice"), "2026");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final Series SERIES = new Series(1, 1, 1, 100, false);

    private Sequence definition = StaleDefinition.of(Guarantee.STRICT, SERIES);
    private CounterState state = CounterStates.of(41, 40, 7, "before", NOW.minusSeconds(9));
    private String version = "v1";

    @Test
    void numbersAreAllocatedInOrder() {
        Plan plan = plan(take("a", 2), take(null, 3), take("b", 1));
        assertEquals(List.of("41-42", "43-45", "46-46"), ranges(plan));
        assertEquals(after(47, 46), plan.after());
        assertEquals(
                List.of("a", "b"),
                plan.allocations().stream().map(Allocation::key).toList());
        assertEquals("v1", plan.base().version());
    }

    @Test
    void allocationHasAllFieldsOfTheLedger() {
        Allocation allocation = plan(take("a", 2)).allocations().get(0);
        assertEquals(
                Allocations.of("a", 41, 42, 2, "2026", LocalDate.EPOCH, null, 0, NOW, false, Status.SIMPLY_ISSUED),
                allocation);
    }

    @Test
    void requestThatDoesNotFitIsRefusedAndSmallerOnesContinue() {
        state = CounterStates.of(99, 98, 7, "before", NOW);
        Plan plan = plan(take(null, 3), take(null, 2), take(null, 1));
        assertEquals(List.of("99-100"), ranges(plan));
        assertEquals(2, plan.refused().size());
        assertEquals(101, plan.after().next());
        assertEquals(2L, problem(plan, 0).members().get("left"));
        assertEquals(0L, problem(plan, 1).members().get("left"));
        assertEquals(ProblemType.EXHAUSTED, problem(plan, 0).type());
    }

    @Test
    void aCycleSkipsTheRestOfItsRound() {
        definition = StaleDefinition.of(Guarantee.STRICT, new Series(41, 1, 1, 100, true));
        state = CounterStates.of(99, 98, 7, "before", NOW);
        Plan plan = plan(take(null, 3), take(null, 2));
        assertEquals(List.of("1-3", "4-5"), ranges(plan));
        assertEquals(103, plan.after().allocated());
        assertTrue(plan.beginsRound());
        assertEquals(1, plan.after().round());
        assertEquals(NOW.toEpochMilli(), plan.after().epoch());
        assertFalse(plan(take(null, 2)).beginsRound());
    }

    @Test
    void aGroupMayGoRoundASmallCycleSeveralTimes() {
        definition = StaleDefinition.of(Guarantee.STRICT, new Series(1, 1, 1, 5, true));
        state = CounterStates.of(4, 3, 7, "before", NOW);
        Plan plan = plan(take(null, 3), take(null, 3), take(null, 2), take(null, 5));
        assertEquals(List.of("1-3", "1-3", "4-5", "1-5"), ranges(plan));
        assertEquals(3, plan.after().round());
        assertEquals(6, plan.after().next());
    }

    /** A lost write consumes nothing, and then the numbers of its other requests are available. */
    @Test
    void whoHasTooFewOnlyBesideTheOthersIsNotRefusedYet() {
        state = CounterStates.of(96, 95, 7, "before", NOW);
        Plan plan = plan(take(null, 4), take(null, 3), take(null, 7));
        assertEquals(List.of("96-99"), ranges(plan));
        assertEquals(1, plan.refusedAnyway().size());
        assertEquals(
                5L, plan.refusedAnyway().get(0).result().refusal().members().get("left"));
    }

    @Test
    void equalKeysAreOneAllocationAndAMismatchIsLeftToTheLedger() {
        Plan plan = plan(take("a", 2), take("a", 2), take("a", 3));
        assertEquals(List.of("41-42", "41-42"), ranges(plan));
        assertEquals(1, plan.allocations().size());
        assertEquals(43, plan.after().next());
        assertEquals(List.of(), plan.refused());
    }

    @Test
    void blockEndsWithTheRange() {
        definition = StaleDefinition.of(Guarantee.CACHED, definition.series());
        assertEquals(
                new CounterOutcome.Block(41, 10, 1, after(51, 50)),
                plan(NumberRequest.block(10)).shares().get(0).result().orThrow());
        state = CounterStates.of(98, 97, 7, "before", NOW);
        Plan plan = plan(NumberRequest.block(10), NumberRequest.block(10));
        assertEquals(
                new CounterOutcome.Block(98, 3, 1, after(101, 100)),
                plan.shares().get(0).result().orThrow());
        assertEquals(ProblemType.EXHAUSTED, problem(plan, 0).type());
    }

    @Test
    void openingLeavesAnExistingCounterUnchanged() {
        Plan plan = plan(opening(5));

        assertTrue(plan.isEmpty());
        assertEquals(state, plan.after());
    }

    @Test
    void aBlockOfACycleEndsWithItsRound() {
        definition = StaleDefinition.of(Guarantee.CACHED, new Series(41, 1, 1, 100, true));
        state = CounterStates.of(98, 97, 7, "before", NOW);
        Plan plan = plan(NumberRequest.block(10), NumberRequest.block(10));
        assertEquals(
                new CounterOutcome.Block(98, 3, 1, after(101, 100)),
                plan.shares().get(0).result().orThrow());
        assertEquals(
                new CounterOutcome.Block(1, 10, 1, after(11, 110, NOW.toEpochMilli(), 1)),
                plan.shares().get(1).result().orThrow());
    }

    @Test
    void anAdvanceKeepsTheCountAndRaisesTheEpoch() {
        Plan plan = plan(new CounterRequest.Advance(90, ChangeNote.NONE));
        assertEquals(
                new Change.Move("2026", 41, 90), plan.shares().get(0).result().orThrow());
        assertEquals(after(90, 40, NOW.toEpochMilli(), 0), plan.after());
        assertTrue(plan.write().rows().isEmpty());
    }

    @Test
    void anAdvanceBeyondTheLastNumberIsRefused() {
        assertEquals(
                ProblemType.EXHAUSTED,
                problem(plan(new CounterRequest.Advance(101, ChangeNote.NONE)), 0)
                        .type());
        definition = StaleDefinition.of(Guarantee.STRICT, new Series(1, 4, 1, 100, false));
        assertEquals(
                ProblemType.EXHAUSTED,
                problem(plan(new CounterRequest.Advance(98, ChangeNote.NONE)), 0)
                        .type());
        assertEquals(
                97,
                plan(new CounterRequest.Advance(95, ChangeNote.NONE)).after().next());
    }

    @Test
    void anAdvanceToBeforeTheRangeMovesNothing() {
        Plan plan = plan(new CounterRequest.Advance(-5, ChangeNote.NONE));
        assertEquals(
                new Change.Move("2026", 41, 41), plan.shares().get(0).result().orThrow());
    }

    @Test
    void exhaustedCounterCanBeAdvancedToItsPosition() {
        state = CounterStates.of(101, 100, 7, "before", NOW);
        assertEquals(
                101,
                plan(new CounterRequest.Advance(100, ChangeNote.NONE)).after().next());
    }

    @Test
    void onlyAGaplessLedgerShowsAnAdvanceAndOnlyIfItMoved() {
        definition = StaleDefinition.of(Guarantee.GAPLESS, SERIES);
        assertEquals(
                List.of(LedgerRow.passed(41, 89, NOW, ChangeNote.NONE, null)),
                plan(new CounterRequest.Advance(90, ChangeNote.NONE)).write().rows());
        assertTrue(plan(new CounterRequest.Advance(7, ChangeNote.NONE))
                .write()
                .rows()
                .isEmpty());
        assertEquals(
                List.of(LedgerRow.passed(41, 50, NOW, ChangeNote.NONE, null)),
                plan(new CounterRequest.Skip(10, ChangeNote.NONE)).write().rows());
    }

    /** Sets the restore margin of the definition, and returns the request to open a counter beyond the margin. */
    private CounterRequest opening(long margin) {
        definition = definition.withRestoreMargin(margin);
        return CounterRequest.Skip.opening();
    }

    @Test
    void openingWritesNothingIfTheOperatorHasForgottenTheMargin() {
        version = null;
        assertTrue(plan(CounterRequest.Skip.opening()).isEmpty());
    }

    @Test
    void anOpenedCounterBeginsBeyondTheRange() {
        version = null;
        assertEquals(51, plan(opening(10)).after().next());
        assertEquals(1_041, plan(opening(1_000)).after().next());
        assertEquals(Series.LARGEST_VALUE, plan(opening(Long.MAX_VALUE)).after().next());
        definition = StaleDefinition.of(Guarantee.STRICT, new Series(100, -4, 1, 100, false));
        assertEquals(33, plan(opening(2)).after().next());
        assertEquals(-3_959, plan(opening(1_000)).after().next());
        definition = StaleDefinition.of(Guarantee.STRICT, new Series(1, 1, 1, 100, true));
        assertEquals(101, plan(opening(1_000)).after().next());
    }

    /** The next number is 41 of 100. A mistyped margin once used up the whole range. */
    @Test
    void aCounterWithLessThanTwiceTheMarginLeftStaysAndCountsAsRestored() {
        assertEquals(
                71, plan(new CounterRequest.Skip(30, ChangeNote.NONE)).after().next());
        assertNull(plan(new CounterRequest.Skip(30, ChangeNote.NONE)).after().restoredFrom());
        for (long margin : List.of(31L, 1_000L, Long.MAX_VALUE)) {
            Plan left = plan(new CounterRequest.Skip(margin, ChangeNote.NONE));
            assertEquals(41, left.after().next());
            assertEquals(41L, left.after().restoredFrom());
            assertEquals(
                    new Change.Move("2026", 41, 41),
                    left.shares().get(0).result().value());
        }
        state = state.restored(35L);
        assertTrue(plan(new CounterRequest.Skip(31, ChangeNote.NONE)).isEmpty());
        definition = StaleDefinition.of(Guarantee.STRICT, new Series(100, -4, 1, 100, false));
        assertEquals(
                41, plan(new CounterRequest.Skip(6, ChangeNote.NONE)).after().next());
        assertEquals(
                21, plan(new CounterRequest.Skip(5, ChangeNote.NONE)).after().next());
    }

    @Test
    void aRestoredCounterIsOneUntilItIsAdvancedByTheMarginOrAccepted() {
        state = state.restored(35L);
        assertNull(plan(new CounterRequest.Skip(30, ChangeNote.NONE)).after().restoredFrom());
        assertNull(plan(CounterRequest.Skip.accepting(ChangeNote.NONE)).after().restoredFrom());
        assertEquals(
                35L, plan(new CounterRequest.Skip(0, ChangeNote.NONE)).after().restoredFrom());
        assertEquals(35L, plan(take(null, 1)).after().restoredFrom());

        assertEquals(
                35L,
                plan(new CounterRequest.Advance(90, ChangeNote.NONE)).after().restoredFrom(),
                "No margin is known.");
        definition = definition.withRestoreMargin(50);
        assertEquals(
                35L,
                plan(new CounterRequest.Advance(84, ChangeNote.NONE)).after().restoredFrom());
        assertNull(plan(new CounterRequest.Advance(85, ChangeNote.NONE)).after().restoredFrom());
    }

    @Test
    void retiredSequenceAllocatesNothingButCanBeSkipped() {
        definition = definition.retired(Instant.EPOCH);
        for (CounterRequest request :
                List.of(take("a", 1), NumberRequest.block(9), new CounterRequest.Advance(50, ChangeNote.NONE))) {
            Plan plan = plan(request);
            assertTrue(plan.isEmpty());
            assertEquals(ProblemType.RETIRED, problem(plan, 0).type());
        }
        assertEquals(
                1, plan(new CounterRequest.Skip(5, ChangeNote.NONE)).shares().size());
    }

    @Test
    void requestRefusedFromTheStartTakesNoNumberUnlessItsKeyGotOneInThisGroup() {
        String refusal = "date must not be later than 2027-12-26, which is 400 days ahead (Numera_MaxDaysAhead).";
        Plan plan = plan(take("a", 1), refused("a"), refused("b"), refused(null), take(null, 1));
        assertEquals(List.of("41-41", "41-41", "42-42"), ranges(plan));
        assertEquals(
                List.of(refusal, refusal),
                plan.refused().stream()
                        .map(refused -> refused.result().refusal().getMessage())
                        .toList());
    }

    @Test
    void openingsAndMovesMarkTheDefinitionAndNumbersOnlyOneThatIsNotInUse() {
        assertFalse(plan(take(null, 1)).marksDefinition());
        assertTrue(plan(new CounterRequest.Skip(5, ChangeNote.NONE)).marksDefinition());
        assertEquals(
                Transactions.of(ID, "v1", after(42, 41), List.of(), null),
                plan(take(null, 1)).write());

        definition = StaleDefinition.unused(definition);
        assertEquals(
                new Transaction(
                        ID,
                        "v1",
                        state.perhapsAllocated().inNewEpoch(41, "id", NOW),
                        List.of(),
                        List.of(),
                        new Change(
                                new Change.Position(NOW, "id"),
                                Change.Kind.ADVANCED,
                                ChangeNote.NONE,
                                List.of(),
                                new Change.Move("2026", 41, 41)),
                        List.of(),
                        "d1"),
                plan(new CounterRequest.Skip(0, ChangeNote.NONE)).write());

        version = null;
        assertEquals(
                Transactions.of(ID, null, after(42, 41), List.of(), "d1"),
                plan(take(null, 1)).write());
        definition = StaleDefinition.of(Guarantee.STRICT, SERIES);
        assertEquals("d1", plan(take(null, 1)).write().definitionVersion());
    }

    /**
     * The restored copy may be older than the first number. An import must not treat numbers that were allocated since
     * then as never allocated.
     */
    @Test
    void numbersSkippedAfterARestoreMayHaveBeenAllocated() {
        CounterState before = CounterStates.of(1, 0, 1, "other", NOW);
        state = before;
        CounterState skipped =
                plan(new CounterRequest.Skip(49, ChangeNote.NONE)).after();
        assertEquals(50, skipped.next());
        assertFalse(skipped.neverAllocated(1, SERIES));
        assertTrue(skipped.neverAllocated(50, SERIES));
        state = skipped;
        assertEquals(1, plan(take(null, 1)).after().firstAllocated());

        state = before;
        CounterState advanced =
                plan(new CounterRequest.Advance(50, ChangeNote.NONE)).after();
        assertTrue(advanced.neverAllocated(1, SERIES));
        state = advanced;
        CounterState next = plan(take(null, 1)).after();
        assertEquals(50, next.firstAllocated());
        assertTrue(next.neverAllocated(49, SERIES));
        assertFalse(next.neverAllocated(50, SERIES));
    }

    /** An opening needs one operation more than other writes. */
    @Test
    void openingHolds97KeysAndTheRestKeepsItsOrder() {
        CounterRequest[] requests = new CounterRequest[100];
        Arrays.setAll(requests, ordinal -> ordinal == 99 ? take(null, 1) : take("key " + ordinal, 1));
        state = CounterStates.of(1, 0, 7, "before", NOW);
        version = null;
        Plan plan = plan(requests);
        assertEquals(97, plan.shares().size());
        assertEquals(98, plan.after().next());
        assertEquals(List.of(), plan.refused());

        version = "v1";
        assertEquals(98, plan(requests).shares().size());
    }

    @Test
    void aPlanIsOvertakenOnceAnythingItWasConditionedOnIsAtAnotherVersion() {
        Versioned<CounterState> same = new Versioned<>(state, "v1");
        Sequence changed = definition.at("d2");
        Plan usual = plan(take(null, 1));
        assertFalse(usual.isOvertaken(same, changed));
        assertTrue(usual.isOvertaken(new Versioned<>(state, "v2"), definition));

        version = null;
        Versioned<CounterState> absent = new Versioned<>(state, null);
        Plan opening = plan(take(null, 1));
        assertFalse(opening.isOvertaken(absent, definition));
        assertTrue(opening.isOvertaken(absent, changed));
        assertTrue(opening.isOvertaken(same, definition));
    }

    /** An instance whose own calls fill its groups would otherwise serve no peer. */
    @Test
    void transactionIsSharedWithPeerRequests() {
        state = CounterStates.of(1, 0, 7, "before", NOW);
        CounterRequest[] own = keyed("own", 98);
        Plan plan = plan(own, posted("a", keyed("a", 48)), posted("b", keyed("b", 48)));
        assertEquals(49, plan.shares().size());
        assertEquals(List.of("a"), answered(plan));
        assertEquals(List.of(), plan.undecided());
        assertEquals(98, plan.after().next());

        assertEquals(94, plan(own, posted("a", keyed("a", 3))).shares().size());
        assertEquals(
                List.of("a", "b"),
                answered(plan(keyed("own", 1), posted("a", keyed("a", 48)), posted("b", keyed("b", 46)))));
        assertEquals(
                List.of("a"),
                answered(plan(keyed("own", 1), posted("a", keyed("a", 48)), posted("b", keyed("b", 48)))));
    }

    /** A write conflicts with rows of keys only, so a request without keys cannot be the cause. */
    @Test
    void peerRequestsWithoutKeysAreNeverInTheWayOfAWrite() {
        Plan plan = plan(keyed("own", 1), posted("a", keyed("a", 1)), posted("b", take(null, 5)));
        assertEquals(List.of("a", "b"), answered(plan));
        assertEquals(
                List.of("a"),
                plan.answeredWithKeys().stream().map(PeerRequest::counterName).toList());
    }

    @Test
    void aRefusalByTheStateMayBeOverAtTheNextRead() {
        assertFalse(allRefused(ProblemType.RETIRED).isRefusedByState());
        assertTrue(allRefused(ProblemType.EXHAUSTED).isRefusedByState());
    }

    private Plan allRefused(ProblemType type) {
        WaitingCall call = new WaitingCall(List.of(take(null, 1)), 0, DEADLINE);
        return Plan.refuseAll(
                new Versioned<>(state, version), call.openSlots(), new ProblemException(type, "Why."), definition);
    }

    @Test
    void ledgerRowIsSharedWithPeerRequests() {
        String[] longKeys = new String[] {"\"".repeat(250), "\\".repeat(250)};
        CounterRequest[] own = new CounterRequest[56];
        Arrays.setAll(own, ordinal -> take(longKeys[0] + ordinal, 1));
        CounterRequest[] others = new CounterRequest[25];
        Arrays.setAll(others, ordinal -> take(longKeys[1] + ordinal, 1));
        Plan plan = plan(own, posted("a", others));
        assertEquals(List.of("a"), answered(plan));
        int units = plan.allocations().stream()
                .mapToInt(allocation -> NumberRequest.ledgerUnits(allocation.key()))
                .sum();
        assertTrue(units <= WriteLimits.LEDGER_UNITS && units > WriteLimits.LEDGER_UNITS - 1_100, () -> "" + units);
    }

    @Test
    void peerRequestGetsAllOrNothingAndItsNumbersInOrder() {
        Plan plan = plan(
                new CounterRequest[] {take(null, 1)},
                posted("a", take("a", 2), take(null, 3)),
                posted("b", take(null, 1)));
        assertEquals(List.of("a", "b"), answered(plan));
        assertEquals(
                List.of("42-43", "44-46"),
                plan.answered().get(0).allocations().stream()
                        .map(allocation -> allocation.first() + "-" + allocation.last())
                        .toList());
        assertEquals(48, plan.after().next());
        assertEquals(
                List.of("a"), plan.allocations().stream().map(Allocation::key).toList());
    }

    @Test
    void requestsThatOnlyTheirOwnInstanceCanDecideTakeNothing() {
        PeerRequest pause = posted("pause");
        PeerRequest same = posted("same", take("a", 1));
        PeerRequest large = posted("large", take(null, 1), take(null, 10_000));
        Plan plan = plan(new CounterRequest[] {take("a", 1)}, pause, same, large);
        assertEquals(List.of(pause, same, large), plan.undecided());
        assertEquals(List.of(), answered(plan));
        assertEquals(42, plan.after().next());
    }

    @Test
    void noPeerRequestIsAnsweredByAnOpeningOrUnderARetiredDefinition() {
        PeerRequest requested = posted("a", take(null, 1));
        Versioned<CounterState> base = new Versioned<>(state, "v1");
        definition = StaleDefinition.unused(definition);
        assertEquals(List.of(), answered(plan(new CounterRequest[] {take(null, 1)}, requested)));
        assertEquals(List.of(), answered(NumberPlan.forPeers(ID, base, definition, "id", List.of(requested), NOW)));
    }

    /**
     * An instance of an earlier version posts a key in any Unicode form and may have stored it in another form. Only an
     * instance that looks up all forms may allocate under the key.
     */
    @ParameterizedTest
    @ValueSource(strings = {"u\u0308", "\u00fc"})
    void noPeerRequestIsAnsweredWhoseKeyHasSeveralForms(String key) {
        PeerRequest requested = posted("a", take(key, 1));
        Plan plan = NumberPlan.forPeers(ID, new Versioned<>(state, version), definition, "id", List.of(requested), NOW);
        assertEquals(List.of(), answered(plan));
        assertEquals(List.of(requested), plan.undecided());
        assertEquals(List.of("a"), answered(forPeer(take("u", 1))));
    }

    @Test
    void formsOfOneKeyShareARow() {
        Plan plan = plan(take("u\u0308", 1), take("\u00fc", 1));
        assertEquals(List.of("\u00fc"), plan.keys());
        assertEquals(2, plan.shares().size());
    }

    @Test
    void aNewEpochChangesNothingElse() {
        Plan plan = plan(new CounterRequest.NewEpoch());
        assertTrue(plan.after().epoch() > state.epoch());
        assertEquals(state.next(), plan.after().next());
        assertEquals(state.firstAllocated(), plan.after().firstAllocated());
        assertFalse(plan.marksDefinition());
        assertTrue(plan.write().rows().isEmpty());
        version = null;
        assertTrue(plan(new CounterRequest.NewEpoch()).isEmpty(), "a counter that is not there needs none");
    }

    @Test
    void noWaitingCallMeansNothingToWrite() {
        assertTrue(plan().isEmpty());
    }

    /** An older definition, whose texts show four digits of the year, accepted the date. */
    @Test
    void ambiguousTwoDigitYearIsRefusedByTheTermsThatWriteIt() {
        String refusal = "date must be from 1976-01-01 to 2075-12-31: the texts show two-digit years, which can"
                + " mean only these dates.";
        CounterRequest request = new NumberRequest("key", 1, LocalDate.EPOCH).on(TODAY);
        assertEquals(1, plan(request).shares().size());
        definition = StaleDefinition.withTwoDigits(definition);
        assertEquals(refusal, problem(plan(request), 0).getMessage());
    }

    /**
     * An existing counter needs no read for the date, so dates far back are refused only if they would open a period.
     */
    @Test
    void aDateFarBackOpensNoPeriod() {
        CounterRequest farBack = new NumberRequest("key", 1, TODAY.minusDays(3_661)).on(TODAY);
        definition = Defined.stored(
                ID.sequence(), Defined.definition(Guarantee.STRICT, SERIES, ResetEvery.DAY), true, null, "d1");
        assertEquals(1, plan(farBack).shares().size());
        version = null;
        assertEquals(
                "date must not be before 2016-11-13, which is 3660 days back (Numera_MaxDaysBack), in a period that"
                        + " has no numbers yet. Numbers of older documents can be imported.",
                problem(plan(farBack), 0).getMessage());
        assertEquals(
                1,
                plan(new NumberRequest("key", 1, TODAY.minusDays(3_660)).on(TODAY))
                        .shares()
                        .size());
        definition = StaleDefinition.of(Guarantee.STRICT, SERIES);
        assertEquals(1, plan(farBack).shares().size());
    }

    @Test
    void aDateTooFarAheadIsTheFirstOfSeveralProblems() {
        definition = StaleDefinition.withTwoDigits(definition);
        LocalDate farAhead = LocalDate.of(2100, 1, 1);
        assertTrue(problem(plan(new NumberRequest("key", 10_000, farAhead).on(TODAY)), 0)
                .getMessage()
                .startsWith("date must not be later than 2027-12-26,"));
        assertTrue(problem(plan(new NumberRequest("key", 10_000, farAhead).on(farAhead)), 0)
                .getMessage()
                .startsWith("date must be from 1976-01-01 to 2075-12-31:"));
    }

    /** Numbers from a block in memory are formatted later, with a date of their own. */
    @Test
    void noRuleForDatesConcernsNumbersFromMemory() {
        definition = StaleDefinition.withTwoDigits(StaleDefinition.of(Guarantee.CACHED, SERIES));
        assertEquals(
                2,
                plan(NumberRequest.block(10), new NumberRequest(null, 20, null).on(NumberRequest.UNDATED))
                        .shares()
                        .size());
    }

    /** Each reserved key needs a mark in addition to its row by key. */
    @Test
    void halfAsManyReservedKeysFitOneWrite() {
        definition = StaleDefinition.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));
        Plan plan = plan(reserved("key", 60));
        assertEquals(49, plan.shares().size());
        assertTrue(plan.allocations().stream()
                .allMatch(allocation -> allocation.status().equals(Status.reserved(NOW, null))));
        CounterRequest[] mixed = Stream.concat(Arrays.stream(keyed("issued", 10)), Arrays.stream(reserved("key", 60)))
                .toArray(CounterRequest[]::new);
        assertEquals(10 + 44, plan(mixed).shares().size());
    }

    @Test
    void peerRequestForReservedKeysIsAnsweredAsFarAsItsMarksFit() {
        definition = StaleDefinition.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));
        PeerRequest requested = posted("a", reserved("requested", 24));
        assertEquals(List.of("a"), answered(plan(keyed("own", 49), requested)));
        Plan crowded = plan(keyed("own", 50), requested);
        assertEquals(List.of("a"), answered(crowded));
        assertEquals(49, crowded.shares().size());
    }

    @Test
    void halfOfTheLedgersRowIsForPeers() {
        definition = StaleDefinition.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));
        int half = WriteLimits.LEDGER_UNITS / 2;
        Plan crowded = plan(ofUnits("own", 2 * half), posted("a", ofUnits("a", half)), posted("b", ofUnits("b", half)));
        assertEquals(List.of("a"), answered(crowded));
        assertEquals(46, crowded.shares().size());
        Plan full = plan(ofUnits("own", half), posted("a", ofUnits("a", half)));
        assertEquals(List.of("a"), answered(full));
        assertEquals(47, full.shares().size());
        assertEquals(List.of(), answered(plan(ofUnits("own", half), posted("a", ofUnits("a", half + 1)))));
    }

    /** The block of three takes exactly the rest of the round. */
    @Test
    void aPeersBlockMayEndTheRound() {
        definition = StaleDefinition.of(Guarantee.CACHED, new Series(1, 1, 1, 100, true));
        state = CounterStates.of(98, 97, 7, "before", NOW);
        assertEquals(List.of("a"), answered(forPeer(take(null, 3))));
        assertEquals(List.of(), answered(forPeer(take(null, 4))));
    }

    private Plan forPeer(CounterRequest request) {
        return NumberPlan.forPeers(
                ID, new Versioned<>(state, version), definition, "id", List.of(posted("a", request)), NOW);
    }

    /** Returns requests whose keys take the given number of units of a row, at most 325 each. */
    private static CounterRequest[] ofUnits(String name, int units) {
        int rows = (units + 324) / 325;
        CounterRequest[] requests = new CounterRequest[rows];
        for (int row = 0; row < rows; row++) {
            int share = units / rows + (row < units % rows ? 1 : 0);
            String key = name + " " + row + " ";
            requests[row] = take(key + "k".repeat(share - NumberRequest.ledgerUnits(key)), 1);
        }
        return requests;
    }

    private static CounterRequest[] reserved(String name, int count) {
        CounterRequest[] requests = new CounterRequest[count];
        Arrays.setAll(requests, ordinal -> new NumberRequest(name + " " + ordinal, 1, null, true).on(LocalDate.EPOCH));
        return requests;
    }

    private Plan plan(CounterRequest... requests) {
        return plan(requests, new PeerRequest[0]);
    }

    private Plan plan(CounterRequest[] requests, PeerRequest... takes) {
        List<WaitingCall.Slot> slots =
                requests.length == 0 ? List.of() : new WaitingCall(List.of(requests), 0, DEADLINE).openSlots();
        return GroupPlanner.planOf(
                ID, new Versioned<>(state, version), definition, "id", slots, List.of(takes), TestLimits.DATES, NOW);
    }

    private static CounterRequest[] keyed(String name, int count) {
        CounterRequest[] requests = new CounterRequest[count];
        Arrays.setAll(requests, ordinal -> take(name + " " + ordinal, 1));
        return requests;
    }

    private static PeerRequest posted(String process, CounterRequest... requests) {
        List<NumberRequest> allocations =
                Arrays.stream(requests).map(NumberRequest.class::cast).toList();
        return new PeerRequest(process, "id of " + process, allocations).at("v of " + process);
    }

    private static List<String> answered(Plan plan) {
        return plan.answered().stream().map(answered -> answered.counterName()).toList();
    }

    private static CounterState after(long next, long allocated) {
        return after(next, allocated, 7, 0);
    }

    private static CounterState after(long next, long allocated, long epoch, long round) {
        return new CounterState(next, allocated, epoch, round, List.of("id", "before"), NOW, null, null, null, null);
    }

    private static CounterRequest refused(String key) {
        return new NumberRequest(key, 1, TODAY.plusDays(401)).on(TODAY);
    }

    private static CounterRequest take(String key, int count) {
        return new NumberRequest(key, count, null).on(LocalDate.EPOCH);
    }

    private static List<String> ranges(Plan plan) {
        return plan.shares().stream()
                .map(share -> (Allocation) share.result().orThrow())
                .map(allocation -> allocation.first() + "-" + allocation.last())
                .toList();
    }

    private static ProblemException problem(Plan plan, int refusal) {
        return plan.refused().get(refusal).result().refusal();
    }
}
