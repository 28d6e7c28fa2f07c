package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.definition.AutoCreate;
import dev.numera.definition.DefinitionDraft;
import dev.numera.definition.DefinitionField;
import dev.numera.definition.DefinitionStore;
import dev.numera.fixtures.MemorySequences;
import dev.numera.fixtures.SmallLimits;
import dev.numera.fixtures.StandingTime;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatChangeTest {
    private static final SequenceName NAME = new SequenceName("App1", "reversed");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences owner = instance();
    private final Sequences other = instance();

    private Sequences instance() {
        return MemorySequences.over(table, AutoCreate.ALWAYS, Timekeeper.SYSTEM);
    }

    private static Numbers next(Sequences instance) {
        return instance.numbering()
                .next(NAME, List.of(new Ask(null, 1, null)))
                .answers()
                .get(0)
                .orThrow();
    }

    private static DefinitionDraft draft(String format) {
        return DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 9_999L).with(DefinitionField.FORMAT, format);
    }

    /**
     * The instance that was behind planned number 2 under a format that began at 3, and told its caller that 2 lies
     * outside.
     */
    @Test
    void anInstanceThatIsBehindWritesUnderTheNewFormat() {
        owner.administration().put(NAME, draft(null), new Precondition.Absent(), ChangeNote.NONE);
        assertEquals(1, next(other).first());
        assertEquals(2, next(owner).first());
        owner.administration().put(NAME, draft("{r:5}"), new Precondition.Present(), ChangeNote.NONE);
        other.administration().get(NAME);

        assertEquals(List.of("09996"), next(other).texts());
    }

    /**
     * Both formats write 10 alike. Told by the format that the instance knew before, 9 was {@code 09}, and {@code 9}
     * when the same key came again.
     */
    @Test
    void theTextsOfAFirstCallAreThoseOfTheDefinitionThatItWasWrittenUnder() {
        owner.administration().put(NAME, countingDown("{n:2}"), new Precondition.Absent(), ChangeNote.NONE);
        other.administration().get(NAME);
        owner.administration().put(NAME, countingDown("{n:1}"), new Precondition.Present(), ChangeNote.NONE);

        List<Ask> asks = List.of(new Ask("key", 2, null));
        for (int time = 1; time <= 2; time++) {
            assertEquals(
                    List.of("10", "9"),
                    other.numbering()
                            .next(NAME, asks)
                            .answers()
                            .get(0)
                            .orThrow()
                            .texts());
        }
    }

    /**
     * The owner had read the counter at 1 and closed the format ten million numbers later. Meanwhile the counter was
     * moved farther than that, and an instance gave a number there under the old format: a later format was free to
     * write its text again.
     */
    @Test
    void aChangeLosesToAnAdvanceThatItHasNotSeen() {
        owner.administration().put(NAME, upTo999Million("A-{n}"), new Precondition.Absent(), ChangeNote.NONE);
        next(other);
        Sequences slowOwner = Sequences.over(
                new Sequences.Stores(
                        table,
                        afterFirstLookAtCounters(() -> {
                            other.administration().advance(NAME, 200_000_000, null, ChangeNote.NONE);
                            assertEquals(List.of("A-200000000"), next(other).texts());
                        }),
                        table,
                        MemoryWorkerStore::new),
                AutoCreate.ALWAYS,
                SmallLimits.OF_SEQUENCES,
                Timekeeper.SYSTEM);
        slowOwner.administration().put(NAME, upTo999Million("B-{n}"), new Precondition.Present(), ChangeNote.NONE);

        ProblemException refused = assertThrows(ProblemException.class, () -> owner.administration()
                .put(NAME, upTo999Million("A-{r:9}"), new Precondition.Present(), ChangeNote.NONE));
        assertEquals(ProblemType.TEXTS_COULD_REPEAT, refused.type());
    }

    /** It is New Year's Day there already. */
    @Test
    void anExampleOfARepetitionIsOfTheSequencesOwnDay() {
        Timekeeper newYearsEve = new StandingTime(Instant.parse("2026-12-31T12:00:00Z"));
        Sequences instance = MemorySequences.over(table, AutoCreate.ALWAYS, newYearsEve);
        DefinitionDraft dated = DefinitionDraft.EMPTY
                .with(DefinitionField.TIME_ZONE, "Pacific/Kiritimati")
                .with(DefinitionField.MAX_VALUE, 9_999L)
                .with(DefinitionField.FORMAT, "{yyyy}{n:4}");
        instance.administration().put(NAME, dated, new Precondition.Absent(), ChangeNote.NONE);
        assertEquals(List.of("20270001"), next(instance).texts());
        DefinitionDraft undated = DefinitionDraft.EMPTY
                .with(DefinitionField.MAX_VALUE, 99_999_999L)
                .with(DefinitionField.FORMAT, "{n:8}");

        ProblemException refused = assertThrows(ProblemException.class, () -> instance.administration()
                .patch(NAME, undated, new Precondition.Present(), ChangeNote.NONE));
        assertEquals(ProblemType.TEXTS_COULD_REPEAT, refused.type());
        assertTrue(refused.getMessage().contains("number 1 is '20270001'"), refused.getMessage());
    }

    private DefinitionStore afterFirstLookAtCounters(Runnable event) {
        Deque<Runnable> events = new ArrayDeque<>(List.of(event));
        return (DefinitionStore) Proxy.newProxyInstance(
                DefinitionStore.class.getClassLoader(),
                new Class<?>[] {DefinitionStore.class},
                (proxy, called, arguments) -> {
                    Object answer = called.invoke(table, arguments);
                    if (called.getName().equals("counters") && !events.isEmpty()) {
                        events.remove().run();
                    }
                    return answer;
                });
    }

    private static DefinitionDraft upTo999Million(String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.MAX_VALUE, 999_999_999L)
                .with(DefinitionField.FORMAT, format);
    }

    private static DefinitionDraft countingDown(String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.START, 10L)
                .with(DefinitionField.INCREMENT, -1L)
                .with(DefinitionField.MIN_VALUE, 1L)
                .with(DefinitionField.MAX_VALUE, 10L)
                .with(DefinitionField.FORMAT, format);
    }
}
