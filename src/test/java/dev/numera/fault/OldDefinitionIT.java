package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerFilter;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An instance that holds an old definition, or finds one in storage, returns only texts that the current definition
 * allows.
 */
class OldDefinitionIT {
    private static final Duration PROMISED = Duration.ofSeconds(30);

    private final RawTables tables = new RawTables(SharedAzurite.connectionString());
    private final TestClock clock = TestClock.system();
    private final Instance owner = Instance.patient(SharedAzurite.connectionString());
    private final Instance stale = Instance.patient("stale", SharedAzurite.connectionString(), clock);
    private final SequenceName sequence =
            new SequenceName("old", UUID.randomUUID().toString());

    private static DefinitionDraft draft(
            Guarantee guarantee, Long start, Long maxValue, Integer cacheSize, String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.GUARANTEE, guarantee)
                .with(DefinitionField.START, start)
                .with(DefinitionField.MAX_VALUE, maxValue)
                .with(DefinitionField.CACHE_SIZE, cacheSize)
                .with(DefinitionField.FORMAT, format);
    }

    private void create(DefinitionDraft draft) {
        owner.sequences().editor().put(sequence, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void change(DefinitionDraft draft) {
        owner.sequences().editor().put(sequence, draft, Precondition.PRESENT, ChangeNote.NONE);
    }

    private String text(Instance instance, String key) {
        return instance.next(sequence, key, 1).texts().get(0);
    }

    /** The instance once printed number 1 by the old range, so numbers 1 and 2 were both 0999. */
    @ParameterizedTest
    @EnumSource(names = {"STRICT", "CACHED"})
    void aRangeThatWasRaisedBeforeTheFirstNumberCountsForIt(Guarantee guarantee) {
        create(draft(guarantee, null, 1_000L, 5, "{r:4}"));
        stale.sequences().states().state(sequence, null);
        change(draft(guarantee, null, 1_001L, 5, "{r:4}"));

        assertEquals("1000", text(stale, null));
        assertEquals("0999", text(stale, null));
    }

    /** The answer was once an exception, after five numbers had been consumed. */
    @ParameterizedTest
    @EnumSource(names = {"STRICT", "CACHED"})
    void aRangeThatWasRaisedAndAdvancedInIsKnownWhenItsTextsAreWritten(Guarantee guarantee) {
        create(draft(guarantee, null, 1_000L, 5, "{r:4}"));
        stale.sequences().states().state(sequence, null);
        change(draft(guarantee, null, 5_000L, 5, "{r:4}"));
        owner.sequences().moves().advance(sequence, 2_000, null, ChangeNote.NONE);

        assertEquals(
                List.of("3000", "2999", "2998", "2997", "2996"),
                stale.next(sequence, null, 5).texts());
        assertEquals("2995", text(stale, null));
    }

    @Test
    void anAllocationThatIsRefusedFixesNothing() {
        create(draft(null, null, 5L, null, null));
        for (Instance instance : List.of(owner, stale)) {
            requireProblem(ProblemType.EXHAUSTED, () -> instance.next(sequence, null, 10));
        }
        assertFalse((Boolean) tables.definition(sequence).getProperty("inUse"));

        change(draft(null, 3L, 100L, null, null));

        assertEquals(3, stale.next(sequence, null, 10).first());
    }

    /** The row was once too long at the 171st change, and each change from then on failed as a storage problem. */
    @Test
    @Tag("long")
    void sixHundredChangesOfFormatAreKeptOrRefused() {
        create(draft(null, null, null, null, format(1)));
        assertEquals("F1-1", text(owner, "first"));
        for (int revision = 2; revision <= FormatHistory.MAX_REVISIONS; revision++) {
            change(draft(null, null, null, null, format(revision)));
        }
        assertEquals("F500-2", text(owner, "last"));
        for (int revision = FormatHistory.MAX_REVISIONS + 1; revision <= 600; revision++) {
            DefinitionDraft oneMore = draft(null, null, null, null, format(revision));
            requireProblem(ProblemType.TOO_MANY_FORMATS, () -> change(oneMore));
        }
        Instance late = Instance.late(SharedAzurite.connectionString());
        assertEquals("F1-1", text(late, "first"));
        assertEquals("F500-3", text(late, "another"));
        change(draft(null, null, null, null, format(7)));
        assertEquals("F7-4", text(owner, "again"));
    }

    private static String format(int revision) {
        return "F" + revision + "-{n}";
    }

    @Test
    void anotherCacheSizeIsHonoredWithin30Seconds() {
        create(draft(Guarantee.CACHED, null, null, 10, null));
        assertEquals(1, stale.next(sequence, null, 1).first());
        change(draft(Guarantee.CACHED, null, null, 50, null));
        clock.pass(PROMISED);

        for (int number = 2; number <= 10; number++) {
            assertEquals(number, stale.next(sequence, null, 1).first());
        }
        // The instance fetches the next block in the background, and no caller arrives before the block.
        assertEquals(61, awaitNext(11));
        assertEquals(11, stale.next(sequence, null, 1).first());
    }

    /** Waits until the next number is no longer this one, and returns it. */
    private long awaitNext(long before) {
        long next = before;
        while (next == before) {
            next = owner.sequences().states().state(sequence, null).next();
        }
        return next;
    }

    /**
     * Restores an older definition, like a failover that loses the last change. Replay and ledger once answered 500.
     */
    @Test
    void definitionOlderThanTheLedgerIsReportedAndNotGuessed() {
        create(draft(null, null, null, null, "A{n}"));
        assertEquals("A1", text(owner, "a"));
        TableEntity old = tables.definition(sequence);
        change(draft(null, null, null, null, "B{n}"));
        assertEquals("B2", text(owner, "b"));
        tables.putBack(List.of(old));
        Instance late = Instance.late(SharedAzurite.connectionString());

        requireReported(late);
        requireProblem(
                ProblemType.ROLLED_BACK,
                () -> late.sequences().ledger().read(sequence, new LedgerFilter(1, 9), null, null, 100));
        late.sequences()
                .editor()
                .put(sequence, draft(null, null, null, null, "C{n}"), Precondition.PRESENT, ChangeNote.NONE);

        requireReported(late);
        requireReported(Instance.late(SharedAzurite.connectionString()));
        assertEquals("C3", text(late, "c"));
    }

    private void requireReported(Instance instance) {
        assertEquals("A1", text(instance, "a"));
        requireProblem(ProblemType.ROLLED_BACK, () -> text(instance, "b"));
        requireProblem(
                ProblemType.ROLLED_BACK, () -> instance.sequences().ledger().find(sequence, "b"));
    }

    private static void requireProblem(ProblemType type, Executable call) {
        assertEquals(type, assertThrows(ProblemException.class, call).type());
    }
}
