package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oldest date of a request. The limit in these tests is 3,660 days: from 2026-11-24 back to 2016-11-16. */
class MaxDaysBackTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final LocalDate FIRST = LocalDate.of(2016, 11, 16);
    private static final LocalDate TOO_FAR_BACK = FIRST.minusDays(1);

    private final AtomicInteger reads = new AtomicInteger();
    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table)
            .with(ForwardingStore.over(CounterStore.class, table, this::counted))
            .with(TestClock.standing(NOW))
            .start();

    private Object counted(ForwardingStore.StoreRequest request) {
        if (request.name().equals("read")) {
            reads.incrementAndGet();
        }
        return request.forward();
    }

    private void define(Guarantee guarantee, ResetEvery period) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, guarantee)
                .with(DefinitionField.RESET_EVERY, period)
                .with(DefinitionField.TIME_ZONE, "UTC");
        sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private PrintedAllocation next(String key, LocalDate date) {
        return next(key, date, NOW);
    }

    private PrintedAllocation next(String key, LocalDate date, Instant sentAt) {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(key, 1, date)), sentAt)
                .results()
                .get(0)
                .orThrow();
    }

    private void importNumbers(String key, long number, LocalDate date) {
        ImportedNumber old = new ImportedNumber(key, number, null, date, Status.Kind.ISSUED, null);
        sequences
                .imports()
                .importNumbers(NAME, List.of(old), Change.imported("import", NOW, null))
                .get(0)
                .orThrow();
    }

    private void assertTooFarBack(org.junit.jupiter.api.function.Executable call) {
        ProblemException refused = assertThrows(ProblemException.class, call);
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
        assertTrue(refused.getMessage().contains("must not be before " + FIRST), refused.getMessage());
        assertTrue(refused.getMessage().contains("Numera_MaxDaysBack"), refused.getMessage());
    }

    @ParameterizedTest
    @EnumSource(names = {"STRICT", "GAPLESS", "CACHED"})
    void aDateOpensNoPeriodFurtherBack(Guarantee guarantee) {
        define(guarantee, ResetEvery.DAY);
        String key = guarantee == Guarantee.CACHED ? null : "a";

        assertTooFarBack(() -> next(key, TOO_FAR_BACK));
        assertTooFarBack(() -> sequences.moves().advance(NAME, 100, TOO_FAR_BACK, ChangeNote.NONE));
        assertEquals(0, table.counters(NAME).size());
        assertEquals(1, next(key, FIRST).first());
    }

    @Test
    void itIsRefusedByTheOneLookAtItsCounter() {
        define(Guarantee.GAPLESS, ResetEvery.DAY);
        reads.set(0);
        assertTooFarBack(() -> next("a", TOO_FAR_BACK));
        assertEquals(1, reads.get());

        assertTooFarBack(() -> sequences
                .allocator()
                .preview(NAME, List.of(new NumberRequest("a", 1, TOO_FAR_BACK)), NOW)
                .get(0)
                .orThrow());
        assertEquals(2, reads.get());
    }

    @Test
    void openPeriodContinues() {
        define(Guarantee.GAPLESS, ResetEvery.DAY);
        importNumbers("old", 7, TOO_FAR_BACK);

        assertEquals(8, next("a", TOO_FAR_BACK).first());
        sequences.moves().advance(NAME, 100, TOO_FAR_BACK, ChangeNote.NONE);
        assertEquals(100, next("b", TOO_FAR_BACK).first());
    }

    @Test
    void aKnownKeyIsAnswered() {
        define(Guarantee.GAPLESS, ResetEvery.DAY);
        next("a", FIRST);
        Sequences later = TestSequences.over(table)
                .with(TestClock.standing(NOW.plus(Duration.ofDays(1_000))))
                .start();

        assertTrue(later.allocator()
                .next(NAME, List.of(new NumberRequest("a", 1, FIRST)))
                .results()
                .get(0)
                .orThrow()
                .replayed());
    }

    /**
     * A known key that is sent with the date of another period is reported as reused, even if that period has no
     * counter.
     */
    @Test
    void aKeyOfAnotherPeriodIsReportedAsThat() {
        define(Guarantee.GAPLESS, ResetEvery.DAY);
        next("a", FIRST);

        ProblemException refused = assertThrows(ProblemException.class, () -> next("a", TOO_FAR_BACK));
        assertEquals(ProblemType.KEY_REUSED, refused.type());
    }

    /** A message that waited for days is judged by the day of its arrival. */
    @Test
    void aDateIsJudgedWhenTheRequestIsAccepted() {
        define(Guarantee.GAPLESS, ResetEvery.DAY);

        assertEquals(1, next("a", TOO_FAR_BACK, NOW.minus(Duration.ofDays(1))).first());
        LocalDate tooLate = LocalDate.of(2026, 11, 24).plusDays(400);
        assertThrows(ProblemException.class, () -> next("b", tooLate, NOW.minus(Duration.ofDays(1))));
        assertEquals(1, next("c", tooLate).first());
    }

    @Test
    void aSequenceThatNeverResetsOpensNoPeriod() {
        define(Guarantee.GAPLESS, ResetEvery.NEVER);

        assertEquals(1, next("a", LocalDate.of(1990, 1, 1)).first());
    }

    @Test
    void readsAreNotBound() {
        define(Guarantee.GAPLESS, ResetEvery.DAY);

        assertEquals(1, sequences.states().state(NAME, TOO_FAR_BACK).next());
    }
}
