package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.catalog.Maintenance;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerGap;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After a backup is restored and its counters are advanced, no number that was allocated since the backup is allocated
 * again.
 */
class SkipAllTest {
    private static final long MARGIN = 1_000;
    private static final LocalDate COPIED_ON = LocalDate.of(2026, 11, 20);
    private static final Instant COPIED_AT = COPIED_ON.atTime(12, 0).toInstant(ZoneOffset.UTC);
    private static final int DAYS_AFTER = 3;
    private static final List<SequenceName> DAILY =
            List.of(new SequenceName("shop", "a"), new SequenceName("shop", "b"), new SequenceName("shop", "c"));
    private static final SequenceName UNUSED = new SequenceName("shop", "unused");
    private static final SequenceName NARROW = new SequenceName("shop", "narrow");

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Set<String> allocated = new HashSet<>();

    private Sequences on(LocalDate day) {
        return on(day, memory);
    }

    private Sequences on(LocalDate day, CounterStore counters) {
        return TestSequences.over(memory)
                .with(counters)
                .with(AutoCreate.NEVER)
                .with(TestClock.standing(day.atTime(12, 0).toInstant(ZoneOffset.UTC)))
                .start();
    }

    /** Returns a store that fails permanently after a number of writes. */
    private CounterStore lostAfter(int writes) {
        int[] left = {writes};
        return ForwardingStore.over(CounterStore.class, memory, request -> {
            if (request.name().equals("write") && left[0]-- <= 0) {
                throw new StoreFailure("gone", false, null);
            }
            return request.forward();
        });
    }

    private void define(SequenceName name, DefinitionDraft draft) {
        on(COPIED_ON).editor().put(name, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private static void skipAll(Maintenance maintenance) {
        maintenance.skipAll(MARGIN, ChangeNote.NONE, (name, move) -> {});
    }

    private void take(Sequences sequences, SequenceName name, LocalDate date, int count) {
        PrintedAllocation printed = sequences
                .allocator()
                .next(name, List.of(new NumberRequest(null, count, date)))
                .results()
                .get(0)
                .orThrow();
        String period = DAILY.contains(name) ? date.toString() : "";
        LongStream.rangeClosed(printed.first(), printed.last())
                .forEach(number -> assertTrue(
                        allocated.add(name + " " + period + " " + number),
                        () -> name + " allocated " + number + " twice"));
    }

    private void takeOfEach(Sequences sequences, LocalDate date) {
        DAILY.forEach(name -> take(sequences, name, date, 3));
        take(sequences, UNUSED, date, 3);
    }

    @Test
    void interruptedRunIsRepeated() {
        DAILY.forEach(name -> define(
                name,
                DefinitionDraft.EMPTY
                        .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                        .with(DefinitionField.TIME_ZONE, "UTC")));
        define(UNUSED, DefinitionDraft.EMPTY);
        DAILY.forEach(name -> take(on(COPIED_ON), name, COPIED_ON, 3));
        MemoryCounterStore.Backup copy = memory.backup();
        List<LocalDate> days =
                COPIED_ON.datesUntil(COPIED_ON.plusDays(DAYS_AFTER + 1)).toList();
        days.forEach(day -> takeOfEach(on(day), day));
        LocalDate today = days.get(DAYS_AFTER);
        Set<String> allocatedBefore = Set.copyOf(allocated);

        // One write for each counter in the backup: the daily sequences and the sequence that never resets.
        int writes = DAILY.size() + 1;
        for (int broken = 0; broken < writes; broken++) {
            memory.restore(copy);
            Maintenance breaking = on(today, lostAfter(broken)).maintenance();
            assertThrows(ProblemException.class, () -> skipAll(breaking));
            skipAll(on(today).maintenance());
            allocated.clear();
            allocated.addAll(allocatedBefore);
            days.forEach(day -> takeOfEach(on(today), day));
        }
    }

    @Test
    void aCounterThatCannotBeReadHoldsUpNoOther() {
        SequenceName daily = byDays(Guarantee.GAPLESS);
        Sequences before = on(COPIED_ON);
        List<LocalDate> days =
                COPIED_ON.datesUntil(COPIED_ON.plusDays(DAYS_AFTER)).toList();
        days.forEach(day -> next(before, daily, Guarantee.GAPLESS, day));
        List<Long> epochs = epochs(daily);
        Maintenance maintenance =
                on(COPIED_ON, unreadable(daily, days.subList(0, 2))).maintenance();

        ProblemException suspending = assertThrows(ProblemException.class, maintenance::suspendAll);
        assertEquals(epochs.subList(0, 2), epochs(daily).subList(0, 2));
        assertTrue(epochs(daily).get(2) > epochs.get(2));

        ProblemException skipping = assertThrows(ProblemException.class, () -> skipAll(maintenance));
        assertEquals(
                List.of(2L, 2L, 2 + MARGIN),
                memory.counters(daily).values().stream().map(CounterState::next).toList());

        for (ProblemException problem : List.of(suspending, skipping)) {
            assertEquals(
                    "1 sequence could not be read or changed; all others were processed. First problem: No counter of "
                            + days.get(0) + ".",
                    problem.getMessage());
            assertEquals("No counter of " + days.get(1) + ".", problem.getSuppressed()[0].getMessage());
        }
    }

    private CounterStore unreadable(SequenceName name, List<LocalDate> days) {
        return ForwardingStore.over(CounterStore.class, memory, request -> {
            for (LocalDate day : days) {
                if (request.name().equals("read")
                        && request.arguments()[0].equals(new CounterId(name, day.toString()))) {
                    throw new StoreFailure("No counter of " + day + ".", false, null);
                }
            }
            return request.forward();
        });
    }

    private List<Long> epochs(SequenceName name) {
        return memory.counters(name).values().stream().map(CounterState::epoch).toList();
    }

    /**
     * The restore once used the time of the manual advance as the time of the backup, so it did not open earlier days.
     */
    @Test
    void anAdvanceByHandDoesNotExemptOtherSequences() {
        SequenceName daily = byDays(Guarantee.STRICT);
        define(NARROW, DefinitionDraft.EMPTY);
        take(on(COPIED_ON), NARROW, COPIED_ON, 3);
        MemoryCounterStore.Backup copy = memory.backup();
        LocalDate lost = COPIED_ON.plusDays(1);
        take(on(lost), daily, lost, 3);

        memory.restore(copy);
        Sequences today = on(COPIED_ON.plusDays(DAYS_AFTER));
        today.moves().advance(NARROW, 5_000, null, ChangeNote.NONE);
        skipAll(today.maintenance());
        take(today, daily, lost, 3);
    }

    /** The periods may have any date: before the backup, and long after it. */
    @ParameterizedTest
    @EnumSource(names = {"STRICT", "GAPLESS", "CACHED"})
    void opensEveryMissingPeriodBeyondTheMarginUntilItIsForgotten(Guarantee guarantee) {
        SequenceName daily = byDays(guarantee);
        Sequences restored = on(COPIED_ON.plusDays(DAYS_AFTER));
        skipAll(restored.maintenance());

        for (LocalDate date : List.of(COPIED_ON.minusDays(1), COPIED_ON.plusDays(1), COPIED_ON.plusDays(100))) {
            assertEquals(
                    1 + MARGIN, restored.states().state(daily, date).next(), "It says where the period will open.");
            assertEquals(1 + MARGIN, next(restored, daily, guarantee, date));
            assertTrue(next(on(COPIED_ON, memory), daily, guarantee, date) > 1 + MARGIN);
        }

        restored.maintenance().forgetMargins();
        assertEquals(1, next(restored, daily, guarantee, COPIED_ON.plusDays(101)));
    }

    private static long next(Sequences sequences, SequenceName name, Guarantee guarantee, LocalDate date) {
        String key = guarantee == Guarantee.GAPLESS ? "key " + UUID.randomUUID() : null;
        return sequences
                .allocator()
                .next(name, List.of(new NumberRequest(key, 1, date)))
                .results()
                .get(0)
                .orThrow()
                .first();
    }

    /** A period may have been opened beyond the first margin, and lost in a second restore. */
    @Test
    void aMissingPeriodOpensBeyondTheMarginsOfAllRestores() {
        SequenceName daily = byDays(Guarantee.STRICT);
        skipAll(on(COPIED_ON).maintenance());
        MemoryCounterStore.Backup second = memory.backup();
        take(on(COPIED_ON), daily, COPIED_ON, 3);

        memory.restore(second);
        skipAll(on(COPIED_ON).maintenance());
        take(on(COPIED_ON), daily, COPIED_ON, 3);
    }

    /** An instance once opened the period by the margin that it had read before the second restore. */
    @Test
    void aMissingPeriodOpensBeyondTheLatestMarginOnAnInstanceThatKnowsAnEarlierOne() {
        SequenceName daily = byDays(Guarantee.STRICT);
        skipAll(on(COPIED_ON).maintenance());
        Sequences early = on(COPIED_ON);
        take(early, daily, COPIED_ON, 1);
        LocalDate lost = COPIED_ON.plusDays(1);
        take(on(COPIED_ON), daily, lost, 1_500);

        memory.remove(new CounterId(daily, lost.toString()));
        on(COPIED_ON).maintenance().skipAll(5 * MARGIN, ChangeNote.NONE, (name, move) -> {});
        take(early, daily, lost, 3);
    }

    @Test
    void theLedgerShowsThatTheMarginWasSkipped() {
        SequenceName daily = byDays(Guarantee.GAPLESS);
        Sequences restored = on(COPIED_ON.plusDays(DAYS_AFTER));
        skipAll(restored.maintenance());
        next(restored, daily, Guarantee.GAPLESS, COPIED_ON);

        assertEquals(
                List.of(LedgerGap.Kind.ADVANCED),
                restored.ledgerCheck().check(daily, 1, 5_000, COPIED_ON, null, null).gaps().stream()
                        .map(LedgerGap::kind)
                        .toList());
    }

    @Test
    void anAdvanceOfAMissingPeriodBeginsBeyondTheMargin() {
        SequenceName daily = byDays(Guarantee.GAPLESS);
        Sequences restored = on(COPIED_ON.plusDays(DAYS_AFTER));
        skipAll(restored.maintenance());

        Change.Move advanced = restored.moves().advance(daily, 5, COPIED_ON, ChangeNote.NONE);

        assertEquals(1 + MARGIN, advanced.next());
    }

    @Test
    void anImportIntoAMissingPeriodCannotHoldNumbersOfTheMargin() {
        SequenceName daily = byDays(Guarantee.GAPLESS);
        Sequences restored = on(COPIED_ON.plusDays(DAYS_AFTER));
        skipAll(restored.maintenance());

        List<Result<PrintedAllocation>> results = restored.imports()
                .importNumbers(
                        daily,
                        List.of(new ImportedNumber("old", 5_000L, null, COPIED_ON, Status.Kind.ISSUED, null)),
                        Change.imported("import", COPIED_AT, null));

        assertEquals(5_000, results.get(0).orThrow().first());
        assertEquals(5_001, restored.states().state(daily, COPIED_ON).next());
        assertTrue(restored.editor().changes(daily, null, 100).items().stream()
                .anyMatch(change -> change.orThrow().kind() == Change.Kind.ADVANCED));
    }

    @Test
    void aSuspendedSequenceOpensNoPeriod() {
        SequenceName daily = byDays(Guarantee.GAPLESS);
        Sequences restored = on(COPIED_ON.plusDays(DAYS_AFTER));
        skipAll(restored.maintenance());
        restored.lifecycle().suspend(daily, ChangeNote.NONE);

        ProblemException refused =
                assertThrows(ProblemException.class, () -> next(restored, daily, Guarantee.GAPLESS, COPIED_ON));

        assertEquals(ProblemType.SUSPENDED, refused.type());
        assertEquals(Map.of(), memory.counters(daily));
    }

    private SequenceName byDays(Guarantee guarantee) {
        SequenceName daily = DAILY.get(0);
        define(
                daily,
                DefinitionDraft.EMPTY
                        .with(DefinitionField.GUARANTEE, guarantee)
                        .with(DefinitionField.RESET_EVERY, ResetEvery.DAY)
                        .with(DefinitionField.TIME_ZONE, "UTC"));
        return daily;
    }

    @Test
    void aRangeThatWasWidenedSinceTheCopyIsWidenedAgainBeforeTheMargin() {
        define(NARROW, DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 10L));
        take(on(COPIED_ON), NARROW, COPIED_ON, 3);
        MemoryCounterStore.Backup copy = memory.backup();
        widen();
        take(on(COPIED_ON), NARROW, COPIED_ON, 20);

        memory.restore(copy);
        List<Change.Move> moves = new ArrayList<>();
        on(COPIED_ON).maintenance().skipAll(MARGIN, ChangeNote.NONE, (name, move) -> moves.add(move));
        assertEquals(List.of(new Change.Move("", 4, 4)), moves);
        on(COPIED_ON).maintenance().suspendForMaintenance(NARROW);
        on(COPIED_ON).lifecycle().resume(NARROW, ChangeNote.NONE);
        requireSuspended(on(COPIED_ON), NARROW);
        widen();
        requireSuspended(on(COPIED_ON), NARROW);
        skipAll(on(COPIED_ON).maintenance());
        resumeAll(on(COPIED_ON));
        take(on(COPIED_ON), NARROW, COPIED_ON, 20);
    }

    private static void requireSuspended(Sequences sequences, SequenceName name) {
        ProblemException refused =
                assertThrows(ProblemException.class, () -> next(sequences, name, Guarantee.STRICT, COPIED_ON));
        assertEquals(ProblemType.SUSPENDED, refused.type());
    }

    private static void resumeAll(Sequences sequences) {
        sequences.maintenance().resumeAll((name, periods) -> fail(name + " " + periods));
    }

    private void widen() {
        on(COPIED_ON)
                .editor()
                .patch(
                        NARROW,
                        DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 100_000L),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
    }
}
