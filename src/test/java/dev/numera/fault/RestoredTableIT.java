package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.TableNames;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.Progression;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables that are restored to an older state, or vanish, under processes that have observed later numbers. The tests
 * use a storage account of their own.
 */
class RestoredTableIT {
    private static final int CACHE_SIZE = 5;
    private static final int INSTANCES = 2;
    private static final String STORAGE = SharedAzurite.emptyAccount();

    private final RawTables tables = new RawTables(STORAGE);
    private final Instance first = Instance.patient(STORAGE);
    private final TestClock clock = TestClock.system();
    private final Instance second = Instance.patient("second", STORAGE, clock);
    private final History history = new History();
    private SequenceName sequence;

    /** Creates missing tables for the next test. */
    @AfterEach
    void createTables() {
        TableNames.ALL.forEach(tables::create);
    }

    private void define(Promise promise) {
        sequence = new SequenceName(
                "App1",
                promise.defineTemplate(first, "restored-" + UUID.randomUUID(), CACHE_SIZE)
                        .name());
    }

    private ObservedOutcome take(Instance instance, Promise promise) {
        return instance.next(
                history,
                "caller",
                sequence,
                promise.hasKeys() ? UUID.randomUUID().toString() : null,
                1);
    }

    private void take(Instance instance, Promise promise, int times) {
        for (int time = 0; time < times; time++) {
            ObservedOutcome outcome = take(instance, promise);
            assertInstanceOf(ObservedOutcome.Allocated.class, outcome, outcome::toString);
        }
    }

    /** Requires a refusal. An instance with a cached block may first use it up. */
    private void requireRefused(Instance instance, Promise promise, ProblemType problem) {
        ObservedOutcome outcome = take(instance, promise);
        for (int left = 2 * CACHE_SIZE;
                promise == Promise.CACHED && left > 0 && outcome instanceof ObservedOutcome.Allocated;
                left--) {
            outcome = take(instance, promise);
        }
        String answered = instance.name() + " answers " + outcome;
        assertTrue(Instance.isProblem(outcome, problem), answered);
        assertTrue(Instance.isProblem(take(instance, promise), problem), answered);
    }

    private long highest() {
        return history.calls().stream()
                .map(ObservedCall::outcome)
                .filter(ObservedOutcome.Allocated.class::isInstance)
                .map(ObservedOutcome.Allocated.class::cast)
                .mapToLong(ObservedOutcome.Allocated::last)
                .max()
                .orElseThrow();
    }

    /** Returns a number beyond all allocated numbers and all numbers that the instances may have reserved. */
    private long beyondAll() {
        return highest() + 1 + INSTANCES * 2 * CACHE_SIZE;
    }

    private void advance() {
        first.sequences().moves().advance(sequence, beyondAll(), null, ChangeNote.NONE);
    }

    private void beginAgain(Promise promise) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, promise.guarantee())
                .with(DefinitionField.START, beyondAll())
                .with(DefinitionField.CACHE_SIZE, CACHE_SIZE);
        first.sequences().editor().put(sequence, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void requireNothingTwice(Promise promise) {
        HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, history.calls());
        SoundHistory.require(promise == Promise.CACHED ? checker.cached() : checker.strict());
    }

    @ParameterizedTest
    @EnumSource
    void anOldCopyIsRefusedUntilAnAdvance(Promise promise) {
        define(promise);
        take(first, promise, 3);
        take(second, promise, 3);
        List<TableEntity> copy = tables.rows(sequence);
        take(second, promise, 3 * CACHE_SIZE);
        take(first, promise, 3 * CACHE_SIZE);
        tables.putBack(copy);

        requireRefused(first, promise, ProblemType.ROLLED_BACK);
        requireRefused(second, promise, ProblemType.ROLLED_BACK);
        advance();

        take(first, promise, 3 * CACHE_SIZE);
        take(second, promise, 3 * CACHE_SIZE);
        requireNothingTwice(promise);
    }

    @ParameterizedTest
    @EnumSource
    void anOldCopyWithoutTheLaterRowsIsRefusedUntilAnAdvance(Promise promise) {
        define(promise);
        take(first, promise, 3);
        List<TableEntity> copy = tables.rows(sequence);
        take(second, promise, 3 * CACHE_SIZE);
        take(first, promise, 3 * CACHE_SIZE);
        tables.empty(sequence);
        tables.putBack(copy);

        requireRefused(second, promise, ProblemType.ROLLED_BACK);
        requireRefused(first, promise, ProblemType.ROLLED_BACK);
        advance();

        take(second, promise, 3 * CACHE_SIZE);
        take(first, promise, 3 * CACHE_SIZE);
        requireNothingTwice(promise);
    }

    /**
     * The problem's least advance is beyond all numbers that the instance has reached, including those left in its
     * blocks.
     */
    @ParameterizedTest
    @EnumSource
    void theLeastAdvanceIsEnoughForTheInstanceThatMakesIt(Promise promise) {
        define(promise);
        take(first, promise, 2);
        List<TableEntity> copy = tables.rows(sequence);
        take(first, promise, 2 * CACHE_SIZE);
        tables.putBack(copy);
        first.sequences()
                .moves()
                .advance(
                        sequence,
                        highest() + 1 + (promise == Promise.CACHED ? 2 * CACHE_SIZE : 0),
                        null,
                        ChangeNote.NONE);

        take(first, promise, 3 * CACHE_SIZE);
        requireNothingTwice(promise);
    }

    @ParameterizedTest
    @EnumSource(names = {"STRICT_WITH_KEYS", "GAPLESS"})
    void newProcessRefusesACounterBehindItsLedger(Promise promise) {
        define(promise);
        take(first, promise, 1);
        List<TableEntity> copy = tables.rows(sequence);
        take(first, promise, 3);
        tables.putBack(copy);
        Instance stranger = Instance.patient(STORAGE);

        requireRefused(stranger, promise, ProblemType.ROLLED_BACK);
        stranger.sequences().moves().advance(sequence, highest() + 1, null, ChangeNote.NONE);

        take(stranger, promise, 3);
        requireNothingTwice(promise);
    }

    /** Instances once forgot counters that they had not used for ten minutes, and then accepted an old table. */
    @ParameterizedTest
    @EnumSource
    void longIdleInstanceDetectsAnOldCopyToo(Promise promise) {
        define(promise);
        take(second, promise, 2);
        List<TableEntity> copy = tables.rows(sequence);
        take(second, promise, 3 * CACHE_SIZE);
        tables.putBack(copy);
        clock.pass(Duration.ofMinutes(11));

        requireRefused(second, promise, ProblemType.ROLLED_BACK);
    }

    /**
     * Epochs come from clocks. Instances that had observed the epoch of a clock a day ahead once refused every other
     * epoch until a restart.
     */
    @ParameterizedTest
    @EnumSource
    void advanceByAClockADayAheadBlocksNoInstance(Promise promise) {
        TestClock dayAhead = TestClock.system();
        dayAhead.pass(Duration.ofDays(1));
        Instance early = Instance.patient("early", STORAGE, dayAhead);
        define(promise);
        take(first, promise, 3);
        take(second, promise, 3);
        List<TableEntity> copy = tables.rows(sequence);
        early.sequences().moves().advance(sequence, beyondAll(), null, ChangeNote.NONE);
        clock.pass(Duration.ofSeconds(30));
        take(second, promise, 3 * CACHE_SIZE);
        tables.putBack(copy);
        requireRefused(second, promise, ProblemType.ROLLED_BACK);

        advance();

        take(second, promise, 3 * CACHE_SIZE);
        take(first, promise, 3 * CACHE_SIZE);
        requireNothingTwice(promise);
    }

    @ParameterizedTest
    @EnumSource
    void vanishedTableIsNamedAndRestartsNoSequence(Promise promise) {
        define(promise);
        take(first, promise, 2);
        take(second, promise, 2);
        tables.delete(TableNames.COUNTERS);

        requireRefused(first, promise, ProblemType.STORAGE_UNAVAILABLE);
        requireRefused(second, promise, ProblemType.STORAGE_UNAVAILABLE);
        String detail = assertThrows(
                        ProblemException.class, () -> first.next(sequence, promise.hasKeys() ? "key" : null, 1))
                .getMessage();
        assertTrue(detail.contains(TableNames.COUNTERS), detail);

        tables.create(TableNames.COUNTERS);
        requireRefused(first, promise, ProblemType.ROLLED_BACK);
        requireRefused(second, promise, ProblemType.ROLLED_BACK);
        beginAgain(promise);

        take(second, promise, 3 * CACHE_SIZE);
        take(first, promise, 3 * CACHE_SIZE);
        requireNothingTwice(promise);
    }

    @ParameterizedTest
    @EnumSource
    void lostIndexStopsNoSequenceAndCreatesNone(Promise promise) {
        define(promise);
        take(second, promise, 2);
        tables.delete(TableNames.SEQUENCES);
        clock.pass(Duration.ofSeconds(30));

        take(second, promise, 2);
        take(Instance.late(STORAGE), promise, 2);
        SequenceName unknown = new SequenceName("App2", sequence.name());
        ProblemException refused =
                assertThrows(ProblemException.class, () -> second.next(unknown, promise.hasKeys() ? "key" : null, 1));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused.type());
        assertTrue(refused.getMessage().contains(TableNames.SEQUENCES), refused::getMessage);

        tables.create(TableNames.SEQUENCES);
        take(second, promise, 2);
        take(first, promise, 2);
        requireNothingTwice(promise);
        second.next(unknown, promise.hasKeys() ? "key" : null, 1);
    }
}
