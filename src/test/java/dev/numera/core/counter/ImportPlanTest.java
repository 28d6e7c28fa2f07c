package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.contract.CounterStates;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.PassingImport;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Deadline;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Plans of imports: the accepted numbers, and the changes to the rows of skipped numbers. Rows read as "run 4-6",
 * "passed 7-9" and "removed 9"; "at v1" is the version of the row that they replace.
 */
class ImportPlanTest {
    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(10), TestClock.alone());
    private static final Series UP = new Series(10, 1, 1, 1_000, false);
    private static final Series DOWN = new Series(100, -1, 1, 200, false);
    private static final Series BY_FIVES = new Series(10, 5, 0, 1_000, false);
    private static final Instant BEFORE = Instant.parse("2026-11-20T08:00:00Z");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final Change NOTE = Change.imported("i1", NOW, null);

    private final Map<String, Result<Allocation>> byKey = new HashMap<>();
    private final NavigableMap<Long, LedgerRow> byNumber = new TreeMap<>();
    private CounterState state = state(20, 15L, null);
    private Sequence definition = StaleDefinition.of(Guarantee.STRICT, UP);

    @Test
    void numbersFromTheNextOneOnMoveTheCounter() {
        Plan plan = plan(20, 21);
        assertEquals(List.of("run 20-21"), rows(plan));
        assertEquals(22, plan.after().next());
        assertEquals(NOW.toEpochMilli(), plan.after().epoch(), "Blocks that were reserved before are void.");
        assertEquals(state.allocated(), plan.after().allocated(), "The sequence itself allocated none.");
        assertEquals("operation", plan.after().operationId());
        assertEquals(NOW, results(plan, 0).allocatedAt());
        assertTrue(plan.marksDefinition());
    }

    @Test
    void numbersBetweenImportedOnesAreSkipped() {
        Plan plan = plan(25, 22);
        assertEquals(List.of("run 22-22", "run 25-25", "passed 20-21", "passed 23-24"), rows(plan));
        assertEquals("import i1", passed(plan).get(0).note().reason());
        assertEquals(NOW, passed(plan).get(0).allocatedAt());
        assertEquals(26, plan.after().next());
    }

    @Test
    void numbersBeforeTheFirstOneOfThePeriodAreNotLeftOut() {
        state = CounterStates.of(10, 0, 7, "before", BEFORE, null, null, null, null);
        Plan plan = plan(15, 18);

        assertEquals(List.of("run 15-15", "run 18-18", "passed 10-14", "passed 16-17"), rows(plan));
        assertEquals(
                List.of(new PassingImport("i1", true), new PassingImport("i1", false)),
                passed(plan).stream().map(LedgerRow::passing).toList());
        assertEquals("before the import", passed(plan).get(0).note().reason());
        assertEquals("import i1", passed(plan).get(1).note().reason());
    }

    /**
     * An import may need several writes, and its lowest number need not be in the first. A range counts as left out
     * only when a later write of the same import contains a lower number.
     */
    @Test
    void onlyThisImportFindsOutThatItLeftNumbersOut() {
        for (boolean isOwn : new boolean[] {true, false}) {
            PassingImport passing = new PassingImport(isOwn ? "i1" : "i0", true);
            byNumber.put(14L, LedgerRow.passed(10, 14, BEFORE, new ChangeNote(null, passing.reason()), passing, "v1"));
            Plan plan = plan(12);

            assertEquals(
                    List.of(passing, isOwn ? new PassingImport("i1", false) : passing),
                    passed(plan).stream().map(LedgerRow::passing).toList());
        }
    }

    @Test
    void numbersBeforeTheFirstAllocatedOneMoveNothing() {
        Plan plan = plan(14, 12);
        assertEquals(List.of("run 12-12", "run 14-14"), rows(plan));
        assertEquals(20, plan.after().next());
        assertEquals(state.epoch(), plan.after().epoch());
        assertNull(plan.after().importedFrom());
    }

    @Test
    void importsOnBothSidesOfTheCounterInOneWrite() {
        Plan plan = plan(14, 21);
        assertEquals(List.of("run 14-14", "run 21-21", "passed 20-20"), rows(plan));
        assertEquals(22, plan.after().next());
    }

    @Test
    void possiblyAllocatedNumberIsTaken() {
        for (long number : new long[] {15, 19}) {
            assertRefused(ProblemType.NUMBER_TAKEN, "may have allocated " + number, plan(number));
        }
    }

    @Test
    void refusedImportWritesNothing() {
        Plan plan = plan(17);
        assertNull(plan.write());
        assertEquals(state, plan.after());
        assertTrue(plan.isEmpty());
    }

    @Test
    void theFarthestBeforeTheStartIsRemembered() {
        assertEquals(7, plan(9, 7).after().importedFrom());
        assertNull(plan(10).after().importedFrom());
        state = state(20, 15L, 5L);
        assertEquals(5, plan(6).after().importedFrom());
        assertEquals(4, plan(4).after().importedFrom());
        down();
        assertEquals(102, plan(101, 102).after().importedFrom());
    }

    @Test
    void takenNumberNamesItsKey() {
        row(
                16,
                19,
                "v1",
                allocation("order-16", 16, 16),
                allocation("order-17", 17, 18),
                allocation("order-19", 19, 19));
        for (Map.Entry<Long, String> held : Map.of(16L, "order-16", 17L, "order-17", 18L, "order-17", 19L, "order-19")
                .entrySet()) {
            assertHeldBy(held.getValue(), held.getKey());
        }
        down();
        row(94, 92, "v1", allocation("order-94", 94, 93), allocation("order-92", 92, 92));
        assertHeldBy("order-94", 94);
        assertHeldBy("order-94", 93);
        assertHeldBy("order-92", 92);
    }

    @Test
    void aPeriodIsNamedWithItsNumber() {
        row(16, 16, "v1", allocation("order-16", 16, 16));
        Allocation number =
                Allocations.of("key", 16, 16, 1, "2026-11", TODAY, null, 0, BEFORE, false, Status.SIMPLY_ISSUED);
        assertRefused(ProblemType.NUMBER_TAKEN, "The number 16 of the period 2026-11 belongs", plan(List.of(number)));
    }

    @Test
    void anImportOfSkippedNumbersCutsTheirRow() {
        passed(15, 19, "v1");
        assertEquals(List.of("run 17-17", "passed 15-16", "passed 18-19 at v1"), rows(plan(17)));
        assertEquals(List.of("run 15-15", "passed 16-19 at v1"), rows(plan(15)));
        assertEquals(List.of("run 19-19 at v1", "passed 15-18"), rows(plan(19)));
        assertEquals(List.of("run 15-19 at v1"), rows(plan(16, 17, 15, 19, 18)));
        assertEquals(
                List.of("run 15-15", "run 17-17", "run 19-19 at v1", "passed 16-16", "passed 18-18"),
                rows(plan(15, 17, 19)));
        Plan plan = plan(17);
        assertEquals(20, plan.after().next());
        LedgerRow rest = passed(plan).get(0);
        assertEquals("a gap", rest.note().reason(), "The row still shows who skipped them, and when.");
        assertEquals(BEFORE, rest.allocatedAt());
    }

    @Test
    void eachRowIsCutByItself() {
        passed(13, 14, "v1");
        passed(15, 16, "v2");
        assertEquals(List.of("run 14-14 at v1", "run 15-15", "passed 13-13", "passed 16-16 at v2"), rows(plan(14, 15)));
        assertEquals(List.of("run 13-14 at v1", "run 15-16 at v2"), rows(plan(13, 14, 15, 16)));
    }

    @Test
    void aRowThatEndsBetweenNumbersOfTheSeriesIsRemovedWhenNothingIsLeftOfIt() {
        definition = StaleDefinition.of(Guarantee.STRICT, BY_FIVES);
        state = state(30, 25L, null);
        passed(12, 23, "v1");
        assertEquals(List.of("run 15-20", "removed 23 at v1"), rows(plan(15, 20)));
        assertEquals(List.of("run 15-15", "passed 20-23 at v1"), rows(plan(15)));
        assertEquals(List.of("run 20-20", "passed 15-15", "removed 23 at v1"), rows(plan(20)));
        assertRefused(ProblemType.NUMBER_TAKEN, "may have allocated 25", plan(25));
        assertEquals(List.of("run 35-35", "passed 30-30"), rows(plan(35)));
    }

    @Test
    void importsIntoASequenceThatCountsDown() {
        down();
        Plan plan = plan(87, 88);
        assertEquals(List.of("run 88-87", "passed 90-89"), rows(plan));
        assertEquals(86, plan.after().next());
        passed(94, 92, "v1");
        assertEquals(List.of("run 93-93", "passed 92-92", "passed 94-94 at v1"), rows(plan(93)));
        assertEquals(List.of("run 94-92 at v1"), rows(plan(92, 93, 94)));
        assertEquals(90, plan(93).after().next());
    }

    @Test
    void keyOfTheSameNumberIsReturnedAsStored() {
        Allocation earlier = known("order-16", 16, null);
        Plan plan = plan(List.of(allocation("order-16", 16, 16)));
        assertEquals(earlier, results(plan, 0));
        assertTrue(results(plan, 0).replayed());
        assertNull(plan.write(), "It is there.");
    }

    @Test
    void numberImportedEarlierByThisImportIsNoReplay() {
        known("order-16", 16, "i1");
        assertFalse(results(plan(List.of(allocation("order-16", 16, 16))), 0).replayed());
    }

    @Test
    void keyOfOtherNumbersIsRefused() {
        known("order-16", 16, null);
        assertRefused(
                ProblemType.KEY_REUSED,
                "already has the number 16. Each",
                plan(List.of(allocation("order-16", 17, 17))));
        Allocation ofPeriod =
                Allocations.of("order-18", 18, 18, 1, "2026-10", TODAY, null, 0, BEFORE, true, Status.SIMPLY_ISSUED);
        byKey.put("order-18", Result.of(ofPeriod));
        assertRefused(
                ProblemType.KEY_REUSED,
                "the number 18 of the period 2026-10. Each",
                plan(List.of(allocation("order-18", 18, 18))));
        byKey.put("order-16", Result.of(allocation("order-16", 16, 17)));
        assertRefused(
                ProblemType.KEY_REUSED,
                "already has the numbers 16 to 17. Each",
                plan(List.of(allocation("order-16", 16, 16))));
    }

    @Test
    void aKeyIsNotMadeVoidByAnImport() {
        Status voided = new Status(Status.Kind.VOID, "a test", null, BEFORE);
        Allocation earlier = known("order-16", 16, null);
        Allocation number = allocation("order-16", 16, 16);
        assertRefused(ProblemType.KEY_REUSED, "but it is not void", plan(List.of(number.with(voided))));
        byKey.put("order-16", Result.of(earlier.with(voided)));
        assertFalse(answered(plan(List.of(number.with(voided)))).get(0).isRefused());
        assertFalse(answered(plan(List.of(number))).get(0).isRefused(), "What was void stays so.");
    }

    @Test
    void repeatedKeyKeepsItsFirstNumber() {
        Plan plan = plan(List.of(allocation("a", 20, 20), allocation("a", 20, 20), allocation("a", 21, 21)));
        assertFalse(results(plan, 0).replayed());
        assertTrue(results(plan, 1).replayed());
        assertEquals(ProblemType.KEY_REUSED, problem(plan, 2).type());
        assertEquals(List.of("run 20-20"), rows(plan));
    }

    @Test
    void aNumberThatComesTwiceHasItsFirstKey() {
        Plan plan = plan(List.of(allocation("a", 20, 20), allocation("b", 20, 20)));
        assertEquals(ProblemType.NUMBER_TAKEN, problem(plan, 1).type());
        assertEquals(Map.of("key", "a"), problem(plan, 1).members());
        assertEquals(List.of("run 20-20"), rows(plan));
    }

    /**
     * A write holds 100 operations. The counter, the mark, the change and the row in number order take four of them.
     */
    @Test
    void aWriteTakesAsManyAsFit() {
        assertEquals(96, answered(plan(LongStream.range(20, 200).toArray())).size());
        assertEquals(
                95, answered(plan(LongStream.range(21, 200).toArray())).size(), "And a row of what was passed over.");
        Plan plan = plan(LongStream.range(20, 200).toArray());
        assertEquals(List.of("run 20-115"), rows(plan));
        assertEquals(116, plan.after().next());
        assertEquals(98, 1 + plan.write().rows().size() + plan.allocations().size());
    }

    @Test
    void refusedRowTakesNoRoom() {
        long[] numbers = LongStream.concat(LongStream.range(15, 20), LongStream.range(20, 200))
                .toArray();
        assertEquals(101, answered(plan(numbers)).size());
    }

    @Test
    void aVoidNumberTakesTwoRows() {
        Status voided = new Status(Status.Kind.VOID, "a test", null, BEFORE);
        List<Allocation> numbers = LongStream.range(20, 100)
                .mapToObj(number -> allocation("key " + number, number, number).with(voided))
                .toList();
        assertEquals(48, answered(plan(numbers)).size());
    }

    @Test
    void aRowInNumberOrderHoldsNoMoreThanItsPropertyDoes() {
        int most = WriteLimits.LEDGER_UNITS / NumberRequest.ledgerUnits("k".repeat(255));
        List<Allocation> numbers = IntStream.range(0, 96)
                .mapToObj(number ->
                        allocation("k".repeat(253) + (number < 10 ? "0" : "") + number, 20 + number, 20 + number))
                .toList();
        Plan plan = plan(numbers);
        assertEquals(List.of("run 20-" + (19 + most), "run " + (20 + most) + "-114"), rows(plan));
    }

    @Test
    void aNumberOutsideTheDefinitionIsOutdated() {
        assertThrows(DefinitionChangedException.class, () -> plan(1_001));
        Allocation withText =
                Allocations.of("key", 20, 20, 1, "", TODAY, "R20", 1, BEFORE, false, Status.SIMPLY_ISSUED);
        assertThrows(DefinitionChangedException.class, () -> plan(List.of(withText)));
        definition = StaleDefinition.of(Guarantee.STRICT, BY_FIVES);
        assertThrows(DefinitionChangedException.class, () -> plan(21));
    }

    @Test
    void whereDatesAreInOrderThoseBeyondTheNextNumberCount() {
        LocalDate yesterday = TODAY.minusDays(1);
        state = CounterStates.of(20, 5, 7, "before", BEFORE, yesterday, 15L, BEFORE, null);
        assertEquals(yesterday, plan(20).after().lastDate(), "They have none.");
        definition = StaleDefinition.ordered(definition);
        assertEquals(TODAY, plan(20).after().lastDate());
        assertEquals(yesterday, plan(14).after().lastDate());
        state = CounterStates.of(20, 5, 7, "before", BEFORE, TODAY.plusDays(1), 15L, BEFORE, null);
        assertEquals(TODAY.plusDays(1), plan(20).after().lastDate());
        state = state(20, 15L, null);
        assertEquals(TODAY, plan(20).after().lastDate());
        assertNull(plan(14).after().lastDate());
    }

    private void down() {
        definition = StaleDefinition.of(Guarantee.STRICT, DOWN);
        state = state(90, 95L, null);
        byNumber.clear();
    }

    private static CounterState state(long next, Long firstAllocated, Long importedFrom) {
        return CounterStates.of(next, 5, 7, "before", BEFORE, null, firstAllocated, BEFORE, importedFrom);
    }

    private Allocation known(String key, long number, String importId) {
        Allocation known =
                Allocations.of(key, number, number, 1, "", TODAY, null, 0, NOW, true, Status.SIMPLY_ISSUED, importId);
        byKey.put(key, Result.of(known));
        return known;
    }

    private void passed(long first, long last, String version) {
        byNumber.put(
                Math.max(first, last),
                new LedgerRow(first, last, BEFORE, List.of(), new ChangeNote(null, "a gap"), version));
    }

    private void row(long first, long last, String version, Allocation... allocations) {
        byNumber.put(
                Math.max(first, last),
                new LedgerRow(first, last, BEFORE, List.of(allocations), ChangeNote.NONE, version));
    }

    private static Allocation allocation(String key, long first, long last) {
        return Allocations.of(
                key,
                first,
                last,
                (int) Math.abs(last - first) + 1,
                "",
                TODAY,
                null,
                0,
                BEFORE,
                false,
                Status.SIMPLY_ISSUED);
    }

    private Plan plan(long... numbers) {
        return plan(Arrays.stream(numbers)
                .mapToObj(number -> allocation("key " + number, number, number))
                .toList());
    }

    private Plan plan(List<Allocation> numbers) {
        List<CounterRequest.Import> requests = numbers.stream()
                .map(number -> Allocations.imported(number, NOTE))
                .toList();
        return new ImportPlan(new Versioned<>(state, "v"), definition, NOTE, byNumber, NOW)
                .plan(CounterFixture.ID, "operation", new WaitingCall(requests, 0, DEADLINE).openSlots(), byKey);
    }

    private static List<Result<Allocation>> answered(Plan plan) {
        return plan.shares().stream()
                .map(share -> share.result().map(Allocation.class::cast))
                .toList();
    }

    private static Allocation results(Plan plan, int index) {
        return answered(plan).get(index).orThrow();
    }

    private static ProblemException problem(Plan plan, int index) {
        return assertThrows(ProblemException.class, () -> results(plan, index));
    }

    private static void assertRefused(ProblemType type, String words, Plan plan) {
        ProblemException problem = problem(plan, 0);
        assertEquals(type, problem.type());
        assertTrue(problem.getMessage().contains(words), problem::getMessage);
    }

    private void assertHeldBy(String key, long number) {
        ProblemException problem = problem(plan(number), 0);
        assertEquals(ProblemType.NUMBER_TAKEN, problem.type());
        assertEquals(Map.of("key", key), problem.members());
    }

    private static List<String> rows(Plan plan) {
        List<String> rows = new ArrayList<>();
        plan.write().rows().forEach(row -> rows.add(range(row) + at(row.version())));
        plan.write().removed().forEach(removed -> rows.add("removed " + removed.highest() + at(removed.version())));
        return rows;
    }

    private static String range(LedgerRow row) {
        return (row.isAdvance() ? "passed " : "run ") + row.first() + "-" + row.last();
    }

    private static List<LedgerRow> passed(Plan plan) {
        return plan.write().rows().stream().filter(LedgerRow::isAdvance).toList();
    }

    private static String at(String version) {
        return version == null ? "" : " at " + version;
    }
}
