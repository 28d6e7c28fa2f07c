package dev.numera.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.contract.CounterStates;
import dev.numera.contract.Defined;
import dev.numera.contract.Transactions;
import dev.numera.execution.Deadline;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.format.ResetEvery;
import dev.numera.model.Allocation;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Guarantee;
import dev.numera.model.LedgerRow;
import dev.numera.model.Outcome;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Series;
import dev.numera.model.Status;
import dev.numera.model.Take;
import dev.numera.model.Versioned;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
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

    private Sequence terms = StaleTerms.of(Guarantee.STRICT, SERIES);
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
        terms = StaleTerms.of(Guarantee.STRICT, new Series(41, 1, 1, 100, true));
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
        terms = StaleTerms.of(Guarantee.STRICT, new Series(1, 1, 1, 5, true));
        state = CounterStates.of(4, 3, 7, "before", NOW);
        Plan plan = plan(take(null, 3), take(null, 3), take(null, 2), take(null, 5));
        assertEquals(List.of("1-3", "1-3", "4-5", "1-5"), ranges(plan));
        assertEquals(3, plan.after().round());
        assertEquals(6, plan.after().next());
    }

    /** If the write is lost, the numbers of the others are still there. */
    @Test
    void whoHasTooFewOnlyBesideTheOthersIsNotRefusedYet() {
        state = CounterStates.of(96, 95, 7, "before", NOW);
        Plan plan = plan(take(null, 4), take(null, 3), take(null, 7));
        assertEquals(List.of("96-99"), ranges(plan));
        assertEquals(1, plan.refusedAnyway().size());
        assertEquals(
                5L, plan.refusedAnyway().get(0).answer().refusal().members().get("left"));
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
        terms = StaleTerms.of(Guarantee.CACHED, terms.series());
        assertEquals(
                new Outcome.Block(41, 10, 1, after(51, 50)),
                plan(Take.block(10)).shares().get(0).answer().orThrow());
        state = CounterStates.of(98, 97, 7, "before", NOW);
        Plan plan = plan(Take.block(10), Take.block(10));
        assertEquals(
                new Outcome.Block(98, 3, 1, after(101, 100)),
                plan.shares().get(0).answer().orThrow());
        assertEquals(ProblemType.EXHAUSTED, problem(plan, 0).type());
    }

    @Test
    void openingLeavesAnExistingCounterUnchanged() {
        Plan plan = plan(Request.Skip.opening(5));

        assertTrue(plan.isEmpty());
        assertEquals(state, plan.after());
    }

    @Test
    void aBlockOfACycleEndsWithItsRound() {
        terms = StaleTerms.of(Guarantee.CACHED, new Series(41, 1, 1, 100, true));
        state = CounterStates.of(98, 97, 7, "before", NOW);
        Plan plan = plan(Take.block(10), Take.block(10));
        assertEquals(
                new Outcome.Block(98, 3, 1, after(101, 100)),
                plan.shares().get(0).answer().orThrow());
        assertEquals(
                new Outcome.Block(1, 10, 1, after(11, 110, NOW.toEpochMilli(), 1)),
                plan.shares().get(1).answer().orThrow());
    }

    @Test
    void anAdvanceKeepsTheCountAndRaisesTheEpoch() {
        Plan plan = plan(new Request.Advance(90, ChangeNote.NONE));
        assertEquals(
                new Change.Move("2026", 41, 90), plan.shares().get(0).answer().orThrow());
        assertEquals(after(90, 40, NOW.toEpochMilli(), 0), plan.after());
        assertTrue(plan.rows().isEmpty());
    }

    @Test
    void anAdvanceBeyondTheLastNumberIsRefused() {
        assertEquals(
                ProblemType.EXHAUSTED,
                problem(plan(new Request.Advance(101, ChangeNote.NONE)), 0).type());
        terms = StaleTerms.of(Guarantee.STRICT, new Series(1, 4, 1, 100, false));
        assertEquals(
                ProblemType.EXHAUSTED,
                problem(plan(new Request.Advance(98, ChangeNote.NONE)), 0).type());
        assertEquals(97, plan(new Request.Advance(95, ChangeNote.NONE)).after().next());
    }

    @Test
    void anAdvanceToBeforeTheRangeMovesNothing() {
        Plan plan = plan(new Request.Advance(-5, ChangeNote.NONE));
        assertEquals(
                new Change.Move("2026", 41, 41), plan.shares().get(0).answer().orThrow());
    }

    @Test
    void exhaustedCounterCanBeAdvancedToItsPosition() {
        state = CounterStates.of(101, 100, 7, "before", NOW);
        assertEquals(
                101, plan(new Request.Advance(100, ChangeNote.NONE)).after().next());
    }

    @Test
    void onlyAGaplessLedgerShowsAnAdvanceAndOnlyIfItMoved() {
        terms = StaleTerms.of(Guarantee.GAPLESS, SERIES);
        assertEquals(
                List.of(LedgerRow.passed(41, 89, NOW, ChangeNote.NONE, null)),
                plan(new Request.Advance(90, ChangeNote.NONE)).rows());
        assertTrue(plan(new Request.Advance(7, ChangeNote.NONE)).rows().isEmpty());
        assertEquals(
                List.of(LedgerRow.passed(41, 50, NOW, ChangeNote.NONE, null)),
                plan(new Request.Skip(10, ChangeNote.NONE)).rows());
    }

    @Test
    void anOpenedCounterBeginsBeyondTheRange() {
        version = null;
        assertEquals(51, plan(Request.Skip.opening(10)).after().next());
        assertEquals(1_041, plan(Request.Skip.opening(1_000)).after().next());
        assertEquals(
                Series.LARGEST_VALUE,
                plan(Request.Skip.opening(Long.MAX_VALUE)).after().next());
        terms = StaleTerms.of(Guarantee.STRICT, new Series(100, -4, 1, 100, false));
        assertEquals(33, plan(Request.Skip.opening(2)).after().next());
        assertEquals(-3_959, plan(Request.Skip.opening(1_000)).after().next());
        terms = StaleTerms.of(Guarantee.STRICT, new Series(1, 1, 1, 100, true));
        assertEquals(101, plan(Request.Skip.opening(1_000)).after().next());
    }

    /** The next number is 41 of 100. A margin by a slip of the hand once used the whole range up. */
    @Test
    void aCounterWithLessThanTwiceTheMarginLeftStaysAndCountsAsRestored() {
        assertEquals(71, plan(new Request.Skip(30, ChangeNote.NONE)).after().next());
        assertNull(plan(new Request.Skip(30, ChangeNote.NONE)).after().restoredFrom());
        for (long margin : List.of(31L, 1_000L, Long.MAX_VALUE)) {
            Plan left = plan(new Request.Skip(margin, ChangeNote.NONE));
            assertEquals(41, left.after().next());
            assertEquals(41L, left.after().restoredFrom());
            assertEquals(
                    new Change.Move("2026", 41, 41),
                    left.shares().get(0).answer().value());
        }
        state = state.restored(35L);
        assertTrue(plan(new Request.Skip(31, ChangeNote.NONE)).isEmpty());
        terms = StaleTerms.of(Guarantee.STRICT, new Series(100, -4, 1, 100, false));
        assertEquals(41, plan(new Request.Skip(6, ChangeNote.NONE)).after().next());
        assertEquals(21, plan(new Request.Skip(5, ChangeNote.NONE)).after().next());
    }

    @Test
    void aRestoredCounterIsOneUntilItIsAdvancedByTheMarginOrAccepted() {
        state = state.restored(35L);
        assertNull(plan(new Request.Skip(30, ChangeNote.NONE)).after().restoredFrom());
        assertNull(plan(Request.Skip.accepting(ChangeNote.NONE)).after().restoredFrom());
        assertEquals(35L, plan(new Request.Skip(0, ChangeNote.NONE)).after().restoredFrom());
        assertEquals(35L, plan(take(null, 1)).after().restoredFrom());

        assertEquals(35L, plan(new Request.Advance(90, ChangeNote.NONE)).after().restoredFrom(), "No margin is known.");
        terms = terms.withRestoreMargin(50);
        assertEquals(35L, plan(new Request.Advance(84, ChangeNote.NONE)).after().restoredFrom());
        assertNull(plan(new Request.Advance(85, ChangeNote.NONE)).after().restoredFrom());
    }

    @Test
    void retiredSequenceAllocatesNothingButCanBeSkipped() {
        terms = terms.retired(Instant.EPOCH);
        for (Request request : List.of(take("a", 1), Take.block(9), new Request.Advance(50, ChangeNote.NONE))) {
            Plan plan = plan(request);
            assertTrue(plan.isEmpty());
            assertEquals(ProblemType.RETIRED, problem(plan, 0).type());
        }
        assertEquals(1, plan(new Request.Skip(5, ChangeNote.NONE)).shares().size());
    }

    @Test
    void requestRefusedFromTheStartTakesNoNumberUnlessItsKeyGotOneInThisGroup() {
        String refusal = "date must not be later than 2027-12-26, which is 400 days ahead (Numera_MaxDaysAhead).";
        Plan plan = plan(take("a", 1), refused("a"), refused("b"), refused(null), take(null, 1));
        assertEquals(List.of("41-41", "41-41", "42-42"), ranges(plan));
        assertEquals(
                List.of(refusal, refusal),
                plan.refused().stream()
                        .map(refused -> refused.answer().refusal().getMessage())
                        .toList());
    }

    @Test
    void openingsAndMovesMarkTheDefinitionAndNumbersOnlyOneThatIsNotInUse() {
        assertFalse(plan(take(null, 1)).marksDefinition());
        assertTrue(plan(new Request.Skip(5, ChangeNote.NONE)).marksDefinition());
        assertEquals(
                Transactions.of(ID, "v1", after(42, 41), List.of(), null),
                plan(take(null, 1)).write(ID));

        terms = StaleTerms.unused(terms);
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
                plan(new Request.Skip(0, ChangeNote.NONE)).write(ID));

        version = null;
        assertEquals(
                Transactions.of(ID, null, after(42, 41), List.of(), "d1"),
                plan(take(null, 1)).write(ID));
        terms = StaleTerms.of(Guarantee.STRICT, SERIES);
        assertEquals("d1", plan(take(null, 1)).write(ID).definitionVersion());
    }

    /**
     * The copy that was put back may be from before the first number: an import must not take numbers allocated since
     * for never allocated.
     */
    @Test
    void numbersSkippedAfterARestoreMayHaveBeenAllocated() {
        CounterState before = CounterStates.of(1, 0, 1, "other", NOW);
        state = before;
        CounterState skipped = plan(new Request.Skip(49, ChangeNote.NONE)).after();
        assertEquals(50, skipped.next());
        assertFalse(skipped.neverAllocated(1, SERIES));
        assertTrue(skipped.neverAllocated(50, SERIES));
        state = skipped;
        assertEquals(1, plan(take(null, 1)).after().firstAllocated());

        state = before;
        CounterState advanced = plan(new Request.Advance(50, ChangeNote.NONE)).after();
        assertTrue(advanced.neverAllocated(1, SERIES));
        state = advanced;
        CounterState next = plan(take(null, 1)).after();
        assertEquals(50, next.firstAllocated());
        assertTrue(next.neverAllocated(49, SERIES));
        assertFalse(next.neverAllocated(50, SERIES));
    }

    /** An opening has one operation more than another write. */
    @Test
    void openingHolds97KeysAndTheRestKeepsItsOrder() {
        Request[] requests = new Request[100];
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
        Sequence changed = terms.at("d2");
        Plan usual = plan(take(null, 1));
        assertFalse(usual.isOvertaken(same, changed));
        assertTrue(usual.isOvertaken(new Versioned<>(state, "v2"), terms));

        version = null;
        Versioned<CounterState> absent = new Versioned<>(state, null);
        Plan opening = plan(take(null, 1));
        assertFalse(opening.isOvertaken(absent, terms));
        assertTrue(opening.isOvertaken(absent, changed));
        assertTrue(opening.isOvertaken(same, terms));
    }

    /** Otherwise an instance with full groups of its own would serve no peer. */
    @Test
    void transactionIsSharedWithPeerRequests() {
        state = CounterStates.of(1, 0, 7, "before", NOW);
        Request[] own = keyed("own", 98);
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

    @Test
    void ledgerRowIsSharedWithPeerRequests() {
        String[] longKeys = new String[] {"\"".repeat(250), "\\".repeat(250)};
        Request[] own = new Request[56];
        Arrays.setAll(own, ordinal -> take(longKeys[0] + ordinal, 1));
        Request[] others = new Request[25];
        Arrays.setAll(others, ordinal -> take(longKeys[1] + ordinal, 1));
        Plan plan = plan(own, posted("a", others));
        assertEquals(List.of("a"), answered(plan));
        int units = plan.allocations().stream()
                .mapToInt(allocation -> Take.ledgerUnits(allocation.key()))
                .sum();
        assertTrue(units <= Group.MAX_LEDGER_UNITS && units > Group.MAX_LEDGER_UNITS - 1_100, () -> "" + units);
    }

    @Test
    void peerRequestGetsAllOrNothingAndItsNumbersInOrder() {
        Plan plan = plan(
                new Request[] {take(null, 1)}, posted("a", take("a", 2), take(null, 3)), posted("b", take(null, 1)));
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
        Plan plan = plan(new Request[] {take("a", 1)}, pause, same, large);
        assertEquals(List.of(pause, same, large), plan.undecided());
        assertEquals(List.of(), answered(plan));
        assertEquals(42, plan.after().next());
    }

    @Test
    void noPeerRequestIsAnsweredByAnOpeningOrUnderARetiredDefinition() {
        PeerRequest requested = posted("a", take(null, 1));
        Versioned<CounterState> base = new Versioned<>(state, "v1");
        terms = StaleTerms.unused(terms);
        assertEquals(List.of(), answered(plan(new Request[] {take(null, 1)}, requested)));
        assertEquals(List.of(), answered(NumberPlan.forPeers(ID, base, terms, "id", List.of(requested), NOW)));
    }

    /**
     * An earlier version posts a key in whatever form, and may have stored it in another one before: only the instance
     * that looks for all of its forms may allocate under it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"u\u0308", "\u00fc"})
    void noPeerRequestIsAnsweredWhoseKeyHasSeveralForms(String key) {
        PeerRequest requested = posted("a", take(key, 1));
        Plan plan = NumberPlan.forPeers(ID, new Versioned<>(state, version), terms, "id", List.of(requested), NOW);
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
        Plan plan = plan(new Request.NewEpoch());
        assertTrue(plan.after().epoch() > state.epoch());
        assertEquals(state.next(), plan.after().next());
        assertEquals(state.firstAllocated(), plan.after().firstAllocated());
        assertFalse(plan.marksDefinition());
        assertTrue(plan.rows().isEmpty());
        version = null;
        assertTrue(plan(new Request.NewEpoch()).isEmpty(), "a counter that is not there needs none");
    }

    @Test
    void noWaitingCallMeansNothingToWrite() {
        assertTrue(plan().isEmpty());
    }

    /** The date was checked by older terms, whose texts showed the year by four digits. */
    @Test
    void ambiguousTwoDigitYearIsRefusedByTheTermsThatWriteIt() {
        String refusal = "date must be from 1976-01-01 to 2075-12-31: the texts show the year by two digits, which"
                + " mean these dates only.";
        Request request = new Take("key", 1, LocalDate.EPOCH).on(TODAY);
        assertEquals(1, plan(request).shares().size());
        terms = StaleTerms.withTwoDigits(terms);
        assertEquals(refusal, problem(plan(request), 0).getMessage());
    }

    /** It has the counter, so that none is read for the date's sake. */
    @Test
    void aDateFarBackOpensNoPeriod() {
        Request farBack = new Take("key", 1, TODAY.minusDays(3_661)).on(TODAY);
        terms = Defined.stored(
                ID.sequence(), Defined.definition(Guarantee.STRICT, SERIES, ResetEvery.DAY), true, null, "d1");
        assertEquals(1, plan(farBack).shares().size());
        version = null;
        assertEquals(
                "date must not be before 2016-11-13, which is 3660 days back (Numera_MaxDaysBack), in a period that"
                        + " has no numbers yet. Numbers of older documents can be imported.",
                problem(plan(farBack), 0).getMessage());
        assertEquals(
                1,
                plan(new Take("key", 1, TODAY.minusDays(3_660)).on(TODAY))
                        .shares()
                        .size());
        terms = StaleTerms.of(Guarantee.STRICT, SERIES);
        assertEquals(1, plan(farBack).shares().size());
    }

    @Test
    void aDateTooFarAheadIsTheFirstOfSeveralProblems() {
        terms = StaleTerms.withTwoDigits(terms);
        LocalDate farAhead = LocalDate.of(2100, 1, 1);
        assertTrue(problem(plan(new Take("key", 10_000, farAhead).on(TODAY)), 0)
                .getMessage()
                .startsWith("date must not be later than 2027-12-26,"));
        assertTrue(problem(plan(new Take("key", 10_000, farAhead).on(farAhead)), 0)
                .getMessage()
                .startsWith("date must be from 1976-01-01 to 2075-12-31:"));
    }

    /** Their texts are written from memory, under a date of their own. */
    @Test
    void noRuleForDatesConcernsNumbersFromMemory() {
        terms = StaleTerms.withTwoDigits(StaleTerms.of(Guarantee.CACHED, SERIES));
        assertEquals(
                2,
                plan(Take.block(10), new Take(null, 20, null).on(Take.UNDATED))
                        .shares()
                        .size());
    }

    /** A mark for each of them beside its row by key. */
    @Test
    void halfAsManyReservedKeysFitOneWrite() {
        terms = StaleTerms.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));
        Plan plan = plan(reserved("key", 60));
        assertEquals(49, plan.shares().size());
        assertTrue(plan.allocations().stream()
                .allMatch(allocation -> allocation.status().equals(Status.reserved(NOW, null))));
        Request[] mixed = Stream.concat(Arrays.stream(keyed("issued", 10)), Arrays.stream(reserved("key", 60)))
                .toArray(Request[]::new);
        assertEquals(10 + 44, plan(mixed).shares().size());
    }

    @Test
    void peerRequestForReservedKeysIsAnsweredAsFarAsItsMarksFit() {
        terms = StaleTerms.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));
        PeerRequest requested = posted("a", reserved("requested", 24));
        assertEquals(List.of("a"), answered(plan(keyed("own", 49), requested)));
        Plan crowded = plan(keyed("own", 50), requested);
        assertEquals(List.of("a"), answered(crowded));
        assertEquals(49, crowded.shares().size());
    }

    @Test
    void halfOfTheLedgersRowIsForPeers() {
        terms = StaleTerms.of(Guarantee.GAPLESS, new Series(1, 1, 1, 1_000, false));
        int half = Group.MAX_LEDGER_UNITS / 2;
        Plan crowded = plan(ofUnits("own", 2 * half), posted("a", ofUnits("a", half)), posted("b", ofUnits("b", half)));
        assertEquals(List.of("a"), answered(crowded));
        assertEquals(46, crowded.shares().size());
        Plan full = plan(ofUnits("own", half), posted("a", ofUnits("a", half)));
        assertEquals(List.of("a"), answered(full));
        assertEquals(47, full.shares().size());
        assertEquals(List.of(), answered(plan(ofUnits("own", half), posted("a", ofUnits("a", half + 1)))));
    }

    /** What is left of the round is as much as it takes. */
    @Test
    void aPeersBlockMayEndTheRound() {
        terms = StaleTerms.of(Guarantee.CACHED, new Series(1, 1, 1, 100, true));
        state = CounterStates.of(98, 97, 7, "before", NOW);
        assertEquals(List.of("a"), answered(forPeer(take(null, 3))));
        assertEquals(List.of(), answered(forPeer(take(null, 4))));
    }

    private Plan forPeer(Request request) {
        return NumberPlan.forPeers(
                ID, new Versioned<>(state, version), terms, "id", List.of(posted("a", request)), NOW);
    }

    /** Keys that take so many units of a row, each of at most 325. */
    private static Request[] ofUnits(String name, int units) {
        int rows = (units + 324) / 325;
        Request[] requests = new Request[rows];
        for (int row = 0; row < rows; row++) {
            int share = units / rows + (row < units % rows ? 1 : 0);
            String key = name + " " + row + " ";
            requests[row] = take(key + "k".repeat(share - Take.ledgerUnits(key)), 1);
        }
        return requests;
    }

    private static Request[] reserved(String name, int count) {
        Request[] requests = new Request[count];
        Arrays.setAll(requests, ordinal -> new Take(name + " " + ordinal, 1, null, true).on(LocalDate.EPOCH));
        return requests;
    }

    private Plan plan(Request... requests) {
        return plan(requests, new PeerRequest[0]);
    }

    private Plan plan(Request[] requests, PeerRequest... takes) {
        List<Call.Slot> slots = requests.length == 0 ? List.of() : new Call(List.of(requests), 0, DEADLINE).openSlots();
        return GroupPlanner.planOf(
                ID, new Versioned<>(state, version), terms, "id", slots, List.of(takes), TestLimits.DATES, NOW);
    }

    private static Request[] keyed(String name, int count) {
        Request[] requests = new Request[count];
        Arrays.setAll(requests, ordinal -> take(name + " " + ordinal, 1));
        return requests;
    }

    private static PeerRequest posted(String process, Request... requests) {
        List<Take> allocations = Arrays.stream(requests).map(Take.class::cast).toList();
        return new PeerRequest(process, "id of " + process, allocations).at("v of " + process);
    }

    private static List<String> answered(Plan plan) {
        return plan.answered().stream().map(answered -> answered.process()).toList();
    }

    private static CounterState after(long next, long allocated) {
        return after(next, allocated, 7, 0);
    }

    private static CounterState after(long next, long allocated, long epoch, long round) {
        return new CounterState(next, allocated, epoch, round, List.of("id", "before"), NOW, null, null, null, null);
    }

    private static Request refused(String key) {
        return new Take(key, 1, TODAY.plusDays(401)).on(TODAY);
    }

    private static Request take(String key, int count) {
        return new Take(key, count, null).on(LocalDate.EPOCH);
    }

    private static List<String> ranges(Plan plan) {
        return plan.shares().stream()
                .map(share -> (Allocation) share.answer().orThrow())
                .map(allocation -> allocation.first() + "-" + allocation.last())
                .toList();
    }

    private static ProblemException problem(Plan plan, int refusal) {
        return plan.refused().get(refusal).answer().refusal();
    }
}
