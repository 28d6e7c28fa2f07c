package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The owner retires, revives and advances a sequence on one instance, while another instance holds the old definition,
 * the old version and an old block.
 */
class StaleInstanceIT {
    private static final Duration PROMISED = Duration.ofSeconds(30);
    private static final int CACHE_SIZE = 10;
    private static final int CALLERS = 4;

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final TestClock clock = TestClock.system();
    private final Instance owner = Instance.patient(SharedAzurite.connectionString());
    private final Instance stale = Instance.patient("stale", SharedAzurite.connectionString(), clock);
    private final History history = new History();
    private SequenceName sequence;

    private ObservedOutcome take(Instance instance, Promise promise) {
        return instance.next(
                history,
                "caller",
                sequence,
                promise.hasKeys() ? UUID.randomUUID().toString() : null,
                1);
    }

    private long number(Instance instance, Promise promise) {
        ObservedOutcome outcome = take(instance, promise);
        assertTrue(outcome instanceof ObservedOutcome.Allocated, outcome::toString);
        return ((ObservedOutcome.Allocated) outcome).first();
    }

    private void begin(Promise promise) {
        SequenceName template = promise.defineTemplate(owner, "stale-" + UUID.randomUUID(), CACHE_SIZE);
        sequence = new SequenceName("App1", template.name());
        number(owner, promise);
        number(stale, promise);
        number(owner, promise);
        number(stale, promise);
    }

    private void retire() {
        owner.sequences().lifecycle().retire(sequence, Precondition.PRESENT, ChangeNote.NONE);
    }

    private void revive() {
        Definition unchanged = owner.sequences().editor().get(sequence).definition();
        owner.sequences().editor().put(sequence, DefinitionDraft.of(unchanged), Precondition.ABSENT, ChangeNote.NONE);
    }

    private void advance(long nextAtLeast) {
        owner.sequences().moves().advance(sequence, nextAtLeast, null, ChangeNote.NONE);
    }

    /** Advances the sequence, and repeats an advance whose outcome is unknown: a repetition moves no counter twice. */
    private void advanceUnderLoad(long nextAtLeast) {
        for (int attempt = 1; ; attempt++) {
            try {
                advance(nextAtLeast);
                return;
            } catch (ProblemException e) {
                if (e.type() != ProblemType.OUTCOME_UNKNOWN || attempt == 5) {
                    throw e;
                }
            }
        }
    }

    private void requireRetired(Instance instance, Promise promise) {
        ObservedOutcome outcome = take(instance, promise);
        assertTrue(Instance.isProblem(outcome, ProblemType.RETIRED), outcome::toString);
    }

    private void requireKept(Promise promise) {
        promise.requireKept(history.calls(), sequence, tables);
    }

    @ParameterizedTest
    @EnumSource
    void retiringIsHonoredAtOnceHereAndElsewhereWithin30Seconds(Promise promise) {
        begin(promise);
        retire();
        requireRetired(owner, promise);
        number(stale, promise);
        clock.pass(PROMISED);
        requireRetired(stale, promise);
        requireKept(promise);
    }

    /** Callers that may take numbers can create periods, and one row retires all of them. */
    @ParameterizedTest
    @EnumSource
    void retiringIsHonoredInEveryPeriodWithin30Seconds(Promise promise) {
        sequence = new SequenceName(
                "App1",
                promise.defineTemplate(owner, "daily-" + UUID.randomUUID(), CACHE_SIZE, ResetEvery.DAY)
                        .name());
        LocalDate day = LocalDate.of(2026, 11, 21);
        for (int ahead = 0; ahead < 3; ahead++) {
            assertTrue(take(stale, promise, day.minusDays(ahead)) instanceof ObservedOutcome.Allocated);
        }
        retire();
        clock.pass(PROMISED);
        for (int ahead = 0; ahead < 5; ahead++) {
            ObservedOutcome outcome = take(stale, promise, day.minusDays(ahead));
            assertTrue(Instance.isProblem(outcome, ProblemType.RETIRED), outcome::toString);
        }
    }

    private ObservedOutcome take(Instance instance, Promise promise, LocalDate date) {
        return instance.next(
                history,
                "caller",
                sequence,
                promise.hasKeys() ? UUID.randomUUID().toString() : null,
                1,
                date);
    }

    @ParameterizedTest
    @EnumSource
    void revivedSequenceContinuesAfterItsLastNumber(Promise promise) {
        begin(promise);
        retire();
        take(stale, promise);
        revive();
        number(owner, promise);
        take(stale, promise);
        clock.pass(PROMISED);
        number(stale, promise);
        number(owner, promise);
        number(stale, promise);
        requireKept(promise);
    }

    @ParameterizedTest
    @EnumSource(names = "CACHED", mode = EnumSource.Mode.EXCLUDE)
    void anAdvanceVoidsAnOldVersion(Promise promise) {
        begin(promise);
        advance(100);
        assertEquals(100, number(stale, promise));
        assertEquals(101, number(owner, promise));
        requireKept(promise);
    }

    @Test
    void aBlockFromBeforeAnAdvanceIsUsedForThirtySecondsAtMost() {
        begin(Promise.CACHED);
        advance(100);
        assertTrue(number(owner, Promise.CACHED) >= 100);
        assertTrue(number(stale, Promise.CACHED) < 100, "a young block needs no check");
        clock.pass(PROMISED);
        assertTrue(number(stale, Promise.CACHED) >= 100, "an old one does, and its epoch is over");
        requireKept(Promise.CACHED);
    }

    @Test
    void anOldBlockOfTheSameEpochIsUsedOn() {
        begin(Promise.CACHED);
        long before = number(stale, Promise.CACHED);
        clock.pass(PROMISED);
        assertEquals(before + 1, number(stale, Promise.CACHED));
        requireKept(Promise.CACHED);
    }

    @ParameterizedTest
    @EnumSource(names = {"STRICT_WITH_KEYS", "GAPLESS"})
    void aKnownKeyGetsItsNumbersFromARetiredSequenceToo(Promise promise) {
        begin(promise);
        ObservedOutcome first = stale.next(history, "caller", sequence, "known", 2);
        retire();
        for (Instance instance : List.of(stale, owner)) {
            ObservedOutcome again = instance.next(history, "caller", sequence, "known", 2);
            assertEquals(((ObservedOutcome.Allocated) first).first(), ((ObservedOutcome.Allocated) again).first());
        }
        requireKept(promise);
    }

    @Test
    void sequenceRetiredBeforeItsFirstNumberAllocatesNone() {
        sequence = new SequenceName("App1", UUID.randomUUID().toString());
        owner.sequences().editor().put(sequence, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        stale.sequences().states().state(sequence, null);
        retire();
        requireRetired(stale, Promise.STRICT);
        requireRetired(owner, Promise.STRICT);
    }

    @Test
    void widenedRangeIsHonoredWithin30Seconds() {
        sequence = new SequenceName("App1", UUID.randomUUID().toString());
        owner.sequences().editor().put(sequence, upTo(2), Precondition.ABSENT, ChangeNote.NONE);
        number(stale, Promise.STRICT);
        number(stale, Promise.STRICT);
        assertTrue(Instance.isProblem(take(stale, Promise.STRICT), ProblemType.EXHAUSTED));
        owner.sequences().editor().put(sequence, upTo(9), Precondition.PRESENT, ChangeNote.NONE);
        clock.pass(PROMISED);
        assertEquals(3, number(stale, Promise.STRICT));
        assertEquals(4, number(owner, Promise.STRICT));
    }

    private static DefinitionDraft upTo(long maxValue) {
        return DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, maxValue);
    }

    @ParameterizedTest
    @EnumSource
    void noNumberIsAllocatedTwiceUnderLoad(Promise promise) throws Exception {
        begin(promise);
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        AtomicBoolean isOver = new AtomicBoolean();
        List<Future<?>> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            Instance instance = caller % 2 == 0 ? owner : stale;
            callers.add(threads.submit(() -> {
                while (!isOver.get()) {
                    take(instance, promise);
                }
            }));
        }
        for (int round = 1; round <= 5; round++) {
            retire();
            revive();
            advanceUnderLoad(owner.sequences().states().state(sequence, null).next() + 3);
            clock.pass(PROMISED);
        }
        isOver.set(true);
        for (Future<?> caller : callers) {
            caller.get();
        }
        threads.shutdown();
        number(stale, promise);
        requireKept(promise);
    }
}
