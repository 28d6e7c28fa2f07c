package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
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
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.catalog.Maintenance;
import dev.numera.sequences.numbering.CounterMoves;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The refused and the allowed calls of a suspended sequence, on the instance that suspended it and on others. */
class SuspensionTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final SequenceName OTHER = new SequenceName("shop", "order");
    private static final ChangeNote NOTE = new ChangeNote("anna", "stocktaking");
    private static final LocalDate DAY = LocalDate.of(2026, 11, 20);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private TestClock clock = TestClock.alone();
    private Sequences sequences = instance(AutoCreate.ALWAYS);

    private Sequences instance(AutoCreate autoCreate) {
        return instance(table, table, autoCreate);
    }

    private Sequences instance(CounterStore counters, DefinitionStore definitions, AutoCreate autoCreate) {
        return TestSequences.over(table)
                .with(counters)
                .with(definitions)
                .with(autoCreate)
                .with(clock)
                .start();
    }

    private DefinitionEditor administration() {
        return sequences.editor();
    }

    private SequenceLifecycle lifecycle() {
        return sequences.lifecycle();
    }

    private CounterMoves moves() {
        return sequences.moves();
    }

    private void define(SequenceName name, Guarantee guarantee, ResetEvery reset) {
        administration()
                .put(
                        name,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, guarantee)
                                .with(DefinitionField.RESET_EVERY, reset)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
    }

    private static long next(Sequences instance, String key) {
        return next(instance, NAME, key, null);
    }

    private static long next(Sequences instance, SequenceName name, String key, LocalDate date) {
        return instance.allocator()
                .next(name, List.of(new NumberRequest(key, 1, date)))
                .results()
                .get(0)
                .orThrow()
                .first();
    }

    private static ProblemException assertSuspended(Executable call) {
        ProblemException refused = assertThrows(ProblemException.class, call);
        assertEquals(ProblemType.SUSPENDED, refused.type(), refused::getMessage);
        return refused;
    }

    private static String key(Guarantee guarantee, String key) {
        return guarantee == Guarantee.CACHED || guarantee == Guarantee.SNOWFLAKE ? null : key;
    }

    /**
     * Replaces the clock for snowflake sequences, because the thread that renews a lease would advance a shared clock
     * with each sleep.
     */
    private void useClockFor(Guarantee guarantee) {
        if (guarantee == Guarantee.SNOWFLAKE) {
            clock = TestClock.showing(TestClock.START);
            sequences = instance(AutoCreate.ALWAYS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void itAllocatesNothingUntilItIsResumed(Guarantee guarantee) {
        ResetEvery reset = guarantee == Guarantee.SNOWFLAKE ? null : ResetEvery.DAY;
        useClockFor(guarantee);
        define(NAME, guarantee, reset);
        long first = next(sequences, key(guarantee, "a"));

        Instant at = clock.now();
        lifecycle().suspend(NAME, NOTE);

        ProblemException refused = assertSuspended(() -> next(sequences, key(guarantee, "b")));
        assertEquals(Map.of("suspendedAt", at.toString(), "reason", "stocktaking"), refused.members());
        if (reset != null) {
            assertSuspended(() -> next(sequences, NAME, key(guarantee, "c"), DAY));
        }
        assertSuspended(() -> next(instance(AutoCreate.ALWAYS), key(guarantee, "b")));
        if (key(guarantee, "a") != null) {
            assertEquals(first, next(sequences, "a"));
        }

        lifecycle().resume(NAME, NOTE);
        assertTrue(next(sequences, key(guarantee, "b")) > first);
    }

    @Test
    void nothingIsImportedAndNoListIsTaken() {
        define(NAME, Guarantee.STRICT, null);
        next(sequences, "a");
        lifecycle().suspend(NAME, NOTE);

        assertSuspended(() -> sequences.imports().requirePossible(NAME));
        assertEquals(
                Optional.of(ProblemType.SUSPENDED),
                sequences.allocator().suspension(NAME).map(ProblemException::type));
        ImportedNumber old = new ImportedNumber("old", 500L, null, null, Status.Kind.ISSUED, null);
        assertSuspended(() -> sequences
                .imports()
                .importNumbers(NAME, List.of(old), Change.imported("import", TestClock.START, null)));
    }

    @Test
    void suspendedSequenceCanBeReadAdvancedAndChanged() {
        define(NAME, Guarantee.GAPLESS, null);
        next(sequences, "a");
        lifecycle().suspend(NAME, NOTE);

        assertEquals(TestClock.START, sequences.states().state(NAME, null).suspendedAt());
        assertEquals(100, moves().advance(NAME, 100, null, ChangeNote.NONE).next());
        administration()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.DESCRIPTION, "Invoices"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        assertSuspended(() -> next(sequences, "b"));

        lifecycle().resume(NAME, NOTE);
        assertNull(sequences.states().state(NAME, null).suspendedAt());
        assertEquals(100, next(sequences, "b"));
    }

    @Test
    void anAdvanceOpensAPeriodOfASuspendedSequenceThatWasNeverUsed() {
        define(NAME, Guarantee.STRICT, ResetEvery.DAY);
        sequences.maintenance().suspendAll();

        assertEquals(40, moves().advance(NAME, 40, DAY, ChangeNote.NONE).next());
        assertSuspended(() -> next(sequences, NAME, "a", DAY));
    }

    @Test
    void changeLogRecordsActorAndReasonOnce() {
        define(NAME, Guarantee.STRICT, null);
        String tag = administration().get(NAME).tag();

        clock.pass(Duration.ofSeconds(1));
        lifecycle().suspend(NAME, NOTE);
        lifecycle().suspend(NAME, new ChangeNote("bert", "again"));
        assertEquals(tag, administration().get(NAME).tag());
        clock.pass(Duration.ofSeconds(1));
        lifecycle().resume(NAME, new ChangeNote("anna", "done"));
        lifecycle().resume(NAME, NOTE);

        List<Change> changes = administration().changes(NAME, null, 100).items().stream()
                .map(Result::orThrow)
                .toList();
        assertEquals(
                List.of(Change.Kind.CREATED, Change.Kind.SUSPENDED, Change.Kind.RESUMED),
                changes.stream().map(Change::kind).toList());
        assertEquals(NOTE, changes.get(1).note());
        assertEquals(new ChangeNote("anna", "done"), changes.get(2).note());
    }

    @Test
    void retiredOrMissingSequenceIsNotSuspended() {
        define(NAME, Guarantee.STRICT, null);
        lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);

        for (Executable call : List.<Executable>of(
                () -> lifecycle().suspend(NAME, NOTE), () -> lifecycle().resume(NAME, NOTE))) {
            assertEquals(
                    ProblemType.RETIRED,
                    assertThrows(ProblemException.class, call).type());
        }
        assertEquals(
                ProblemType.UNKNOWN_SEQUENCE,
                assertThrows(ProblemException.class, () -> lifecycle().suspend(OTHER, NOTE))
                        .type());
    }

    /** Numbers in memory, from a block or a lease, are refused as well. */
    @ParameterizedTest
    @EnumSource
    void anotherInstanceHonorsItWithin30Seconds(Guarantee guarantee) {
        useClockFor(guarantee);
        define(NAME, guarantee, null);
        Sequences other = instance(AutoCreate.ALWAYS);
        next(other, key(guarantee, "a"));

        lifecycle().suspend(NAME, NOTE);
        clock.pass(Maintenance.HONORED_WITHIN);

        assertSuspended(() -> next(other, key(guarantee, "b")));
    }

    @Test
    void suspendingAllStartsANewEpochInEachCounterAndKeepsTheOwnersSuspensions() {
        define(NAME, Guarantee.STRICT, ResetEvery.DAY);
        define(OTHER, Guarantee.STRICT, null);
        next(sequences, NAME, "a", DAY);
        next(sequences, NAME, "b", null);
        next(sequences, OTHER, "c", null);
        lifecycle().suspend(OTHER, NOTE);
        Map<String, CounterState> before = table.counters(NAME);

        assertEquals(
                List.of(NAME, OTHER),
                sequences.maintenance().suspendAll().stream()
                        .sorted(Comparator.comparing(SequenceName::name))
                        .toList());

        Map<String, CounterState> after = table.counters(NAME);
        assertEquals(2, after.size());
        after.forEach((period, state) -> {
            assertNotEquals(before.get(period).epoch(), state.epoch());
            assertEquals(before.get(period).next(), state.next());
        });
        lifecycle().resume(NAME, NOTE);
        ProblemException refused = assertSuspended(() -> next(sequences, "d"));
        assertEquals("maintenance of the service", refused.members().get("reason"));

        assertEquals(List.of(OTHER), sequences.maintenance().resumeAll((name, periods) -> {}));
        assertEquals(2, next(sequences, "d"));
        assertSuspended(() -> next(sequences, OTHER, "d", null));
    }

    @Test
    void nothingIsCreatedOrRevivedWhileAllIsSuspended() {
        define(NAME, Guarantee.STRICT, null);
        lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        sequences.maintenance().suspendAll();

        assertSuspended(() -> define(NAME, Guarantee.STRICT, null));
        assertSuspended(() -> define(OTHER, Guarantee.STRICT, null));
        assertSuspended(() -> next(sequences, OTHER, "a", null));

        sequences.maintenance().resumeAll((name, periods) -> {});
        define(NAME, Guarantee.STRICT, null);
        assertEquals(1, next(sequences, OTHER, "a", null));
    }

    /** The creator has read the mark and pauses. When it continues, all existing sequences are suspended. */
    @Test
    void sequenceCreatedAfterSuspendAllPassedAllocatesNothing() {
        Sequences other = suspendingAllBefore("insert");

        assertSuspended(() -> next(other, "a"));

        assertTrue(table.find(NAME).orElseThrow().suspension().isNone());
        assertSuspended(() -> next(sequences, "b"));
        sequences.maintenance().resumeAll((name, periods) -> {});
        assertEquals(1, next(sequences, "b"));
    }

    /**
     * The counters still exist, so the next number is not a first one, before which an instance would read the mark.
     */
    @Test
    void sequenceRecreatedAfterSuspendAllPassedAllocatesNothing() {
        loseDefinition();
        Sequences other = suspendingAllBefore("insert");

        recreate(other);

        assertSuspended(() -> next(other, "b"));
        sequences.maintenance().resumeAll((name, periods) -> {});
        assertSuspended(() -> next(other, "b"));
        lifecycle().resume(NAME, NOTE);
        assertEquals(2, next(sequences, "b"));
    }

    /** The walk has found the sequence suspended by its own recreation. */
    @Test
    void sequenceRecreatedDuringSuspendAllAllocatesNothing() {
        loseDefinition();
        Sequences other = suspendingAllBefore("replace");

        recreate(other);

        assertSuspended(() -> next(other, "b"));
        assertTrue(table.find(NAME).orElseThrow().suspension().isMaintenance());
    }

    @Test
    void aRecreatedSequenceAllocatesOnceItsOwnerHasResumedIt() {
        loseDefinition();

        recreate(sequences);

        assertSuspended(() -> next(sequences, "b"));
        assertFalse(table.find(NAME).orElseThrow().suspension().isMaintenance());
        lifecycle().resume(NAME, NOTE);
        assertEquals(2, next(sequences, "b"));
    }

    private void loseDefinition() {
        define(NAME, Guarantee.STRICT, null);
        next(sequences, "a");
        table.loseDefinition(NAME);
    }

    private static void recreate(Sequences instance) {
        instance.editor()
                .put(NAME, DefinitionDraft.EMPTY.with(DefinitionField.START, 1L), Precondition.ABSENT, ChangeNote.NONE);
    }

    /**
     * Returns an instance that pauses before its first request with a given name. Meanwhile, everything is suspended.
     */
    private Sequences suspendingAllBefore(String request) {
        boolean[] isPaused = {true};
        DefinitionStore pausing = ForwardingStore.over(DefinitionStore.class, table, sent -> {
            if (sent.name().equals(request) && isPaused[0]) {
                isPaused[0] = false;
                sequences.maintenance().suspendAll();
            }
            return sent.forward();
        });
        return instance(table, pausing, AutoCreate.ALWAYS);
    }

    @Test
    void callsForNumbersCreateNothingAfterARestoreWithoutAnIndexUntilItIsAllowed() {
        sequences.maintenance().closeCreation();

        ProblemException refused = assertThrows(ProblemException.class, () -> next(sequences, OTHER, "a", null));
        assertEquals(ProblemType.UNKNOWN_SEQUENCE, refused.type());
        assertTrue(refused.getMessage().contains("allow-creation"), refused::getMessage);
        define(NAME, Guarantee.STRICT, null);
        assertEquals(1, next(sequences, "a"));

        sequences.maintenance().suspendAll();
        sequences.maintenance().resumeAll((name, periods) -> {});
        assertThrows(ProblemException.class, () -> next(sequences, OTHER, "a", null));

        sequences.maintenance().allowCreation();
        assertEquals(1, next(sequences, OTHER, "a", null));
    }

    /** The write was computed before the suspension and is held until the new epoch is stored. */
    @ParameterizedTest
    @EnumSource(names = {"STRICT", "GAPLESS", "CACHED"})
    void aWriteThatWasComputedBeforeLosesToTheNewEpoch(Guarantee guarantee) {
        define(NAME, guarantee, null);
        boolean[] isPaused = {false};
        CounterStore pausing = ForwardingStore.over(CounterStore.class, table, request -> {
            if (request.name().equals("write") && isPaused[0]) {
                isPaused[0] = false;
                sequences.maintenance().suspendAll();
            }
            return request.forward();
        });
        Sequences other = instance(pausing, table, AutoCreate.ALWAYS);
        next(other, key(guarantee, "a"));
        // The advance makes the instance read the counter, so that its next write is conditioned on the present
        // version.
        other.moves().advance(NAME, 10_000, null, ChangeNote.NONE);
        long allocated = table.counters(NAME).get("").allocated();

        isPaused[0] = true;
        assertSuspended(() -> next(other, key(guarantee, "c")));

        assertEquals(allocated, table.counters(NAME).get("").allocated());
        assertEquals(10_000, table.counters(NAME).get("").next());
    }

    /** The write of a first number, also in a new period, is conditioned on the definition. */
    @ParameterizedTest
    @EnumSource(names = {"STRICT", "GAPLESS", "CACHED"})
    void aWriteThatWouldOpenACounterLosesToTheMark(Guarantee guarantee) {
        define(NAME, guarantee, ResetEvery.DAY);
        boolean[] isPaused = {true};
        CounterStore pausing = ForwardingStore.over(CounterStore.class, table, request -> {
            if (request.name().equals("write") && isPaused[0]) {
                isPaused[0] = false;
                sequences.maintenance().suspendAll();
            }
            return request.forward();
        });
        Sequences other = instance(pausing, table, AutoCreate.ALWAYS);

        assertSuspended(() -> next(other, NAME, key(guarantee, "a"), DAY));

        sequences.maintenance().resumeAll((name, periods) -> {});
        next(sequences, NAME, key(guarantee, "b"), DAY);
        isPaused[0] = true;
        assertSuspended(() -> next(other, NAME, key(guarantee, "a"), DAY.plusDays(1)));
        assertEquals(1, table.counters(NAME).size());
    }
}
