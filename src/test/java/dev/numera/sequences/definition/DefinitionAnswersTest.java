package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The answer to a change shows the stored change, even if another owner changes the definition immediately afterward.
 */
class DefinitionAnswersTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences others = TestSequences.over(table).start();
    private final DefinitionEditor other = others.editor();
    /** Runs between a write of the tested owner and its answer. */
    private Runnable afterNextWrite = () -> {};

    private final Sequences sequences = TestSequences.over(table)
            .with(ForwardingStore.over(DefinitionStore.class, table, request -> {
                Object answer = request.forward();
                if (Set.of("insert", "replace").contains(request.name())) {
                    Runnable next = afterNextWrite;
                    afterNextWrite = () -> {};
                    next.run();
                }
                return answer;
            }))
            .start();
    private final DefinitionEditor mine = sequences.editor();

    private static DefinitionDraft described(String description) {
        return DefinitionDraft.EMPTY.with(DefinitionField.DESCRIPTION, description);
    }

    private void otherDescribes() {
        afterNextWrite = () -> other.patch(NAME, described("other"), Precondition.PRESENT, ChangeNote.NONE);
    }

    /**
     * Checks that the answer has the tag of the owner's own change. With the tag of the other owner's change, the next
     * change would undo it unnoticed.
     */
    private void assertMine(Sequence answered) {
        Sequence present = mine.get(NAME);
        assertEquals("mine", answered.definition().description());
        assertEquals("other", present.definition().description());
        assertNotEquals(present.tag(), answered.tag());
    }

    @Test
    void created() {
        otherDescribes();
        assertMine(mine.put(NAME, described("mine"), Precondition.ABSENT, ChangeNote.NONE));
    }

    @Test
    void replaced() {
        other.put(NAME, described("before"), Precondition.ABSENT, ChangeNote.NONE);
        otherDescribes();
        assertMine(mine.put(NAME, described("mine"), Precondition.PRESENT, ChangeNote.NONE));
    }

    @Test
    void patched() {
        other.put(NAME, described("before"), Precondition.ABSENT, ChangeNote.NONE);
        otherDescribes();
        Sequence answered = mine.patch(NAME, described("mine"), Precondition.PRESENT, ChangeNote.NONE);
        assertMine(answered);
        assertEquals(
                "mine",
                mine.patch(NAME, described("mine"), Precondition.PRESENT, ChangeNote.NONE)
                        .definition()
                        .description());
        assertEquals(answered.tag(), mine.get(NAME).tag());
    }

    @Test
    void revived() {
        other.put(NAME, described("before"), Precondition.ABSENT, ChangeNote.NONE);
        sequences.allocator().next(NAME, List.of(new NumberRequest(null, 1, null)));
        others.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        otherDescribes();
        assertMine(mine.put(NAME, described("mine"), Precondition.ABSENT, ChangeNote.NONE));
    }

    /** The counters outlived the definition, so the recreated sequence starts suspended. */
    @Test
    void createdAgainAfterALoss() {
        other.put(NAME, described("before"), Precondition.ABSENT, ChangeNote.NONE);
        sequences.allocator().next(NAME, List.of(new NumberRequest(null, 1, null)));
        table.loseDefinition(NAME);
        otherDescribes();
        Sequence answered =
                mine.put(NAME, described("mine").with(DefinitionField.START, 1L), Precondition.ABSENT, ChangeNote.NONE);

        assertMine(answered);
        assertTrue(answered.suspension().isByOwner());
        assertFalse(answered.suspension().isMaintenance());
    }

    @Test
    void suspendedAndResumed() {
        other.put(NAME, described("before"), Precondition.ABSENT, ChangeNote.NONE);
        afterNextWrite = () -> others.lifecycle().resume(NAME, ChangeNote.NONE);
        assertTrue(sequences.lifecycle().suspend(NAME, ChangeNote.NONE).isStopped());
        others.lifecycle().suspend(NAME, ChangeNote.NONE);
        afterNextWrite = () -> others.lifecycle().suspend(NAME, ChangeNote.NONE);
        assertFalse(sequences.lifecycle().resume(NAME, ChangeNote.NONE).isStopped());
    }

    /**
     * With the message "it was changed since: get it again", the owner of an unchanged definition would repeat the
     * request forever.
     */
    @Test
    void aWeakTagIsCalledThat() {
        String tag = other.put(NAME, described("before"), Precondition.ABSENT, ChangeNote.NONE)
                .tag();
        Precondition weak = Precondition.tagged(Set.of("W/" + tag));
        ProblemException patch =
                assertThrows(ProblemException.class, () -> mine.patch(NAME, described("mine"), weak, ChangeNote.NONE));
        ProblemException retirement =
                assertThrows(ProblemException.class, () -> sequences.lifecycle().retire(NAME, weak, ChangeNote.NONE));

        for (ProblemException refusal : List.of(patch, retirement)) {
            assertEquals(ProblemType.PRECONDITION_FAILED, refusal.type());
            assertTrue(
                    refusal.getMessage().contains("If-Match has a weak tag, which never matches"),
                    refusal.getMessage());
        }
        mine.patch(NAME, described("mine"), Precondition.tagged(Set.of("W/" + tag, tag)), ChangeNote.NONE);
    }

    /** The sequence is retired before the answer to the change arrives. */
    @Test
    void retiredMeanwhile() {
        afterNextWrite = () -> others.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        Sequence answered = mine.put(
                NAME,
                described("mine").with(DefinitionField.GUARANTEE, Guarantee.GAPLESS),
                Precondition.ABSENT,
                ChangeNote.NONE);
        assertFalse(answered.isRetired());
    }
}
