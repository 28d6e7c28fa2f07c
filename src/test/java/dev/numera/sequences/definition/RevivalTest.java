package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A definition for the name of a retired sequence: its suspension, its preview, and why it is refused. */
class RevivalTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final DefinitionDraft BEFORE =
            DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "A{n}").with(DefinitionField.START, 5L);
    private static final DefinitionDraft OTHER =
            DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "B{n}").with(DefinitionField.START, 100L);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table).start();

    private void define() {
        put(BEFORE);
    }

    private Sequence put(DefinitionDraft draft) {
        return sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void suspend() {
        sequences.lifecycle().suspend(NAME, new ChangeNote("anna", "stocktaking"));
    }

    private void retire() {
        sequences.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
    }

    private String next() {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow()
                .texts()
                .get(0);
    }

    private List<String> preview(DefinitionDraft draft) {
        return sequences.editor().preview(NAME, draft, null).texts();
    }

    private static ProblemException assertRefused(ProblemType type, Executable call) {
        ProblemException refused = assertThrows(ProblemException.class, call);
        assertEquals(type, refused.type(), refused::getMessage);
        return refused;
    }

    @Test
    void aFreeNameKeepsNoSuspension() {
        define();
        suspend();
        retire();
        assertTrue(put(OTHER).suspension().isNone());
        assertEquals("B100", next());
    }

    @Test
    void aFreeNameStaysSuspendedByAMaintenance() {
        define();
        suspend();
        sequences.maintenance().suspendForMaintenance(NAME);
        retire();
        Sequence created = put(OTHER);
        assertFalse(created.suspension().isByOwner());
        assertTrue(created.suspension().isMaintenance());
        assertRefused(ProblemType.SUSPENDED, this::next);
    }

    @Test
    void aSequenceInUseIsRevivedSuspended() {
        define();
        next();
        suspend();
        retire();
        assertEquals("stocktaking", put(BEFORE).suspension().reason());
        assertRefused(ProblemType.SUSPENDED, this::next);
    }

    @Test
    void aFreeNameIsPreviewedWithAnyDefinition() {
        define();
        retire();
        assertEquals(List.of("B100", "B101", "B102"), preview(OTHER));
        assertNull(preview(DefinitionDraft.EMPTY), "the format of the retired sequence is not kept");
        put(OTHER);
        assertEquals("B100", next());
    }

    @Test
    void aRevivalIsPreviewedFromTheNextNumberOn() {
        define();
        next();
        retire();
        assertEquals(List.of("A6", "A7", "A8"), preview(BEFORE));
        assertEquals(List.of("C6", "C7", "C8"), preview(DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "C{n}")));
        assertEquals(
                BEFORE.get(DefinitionField.FORMAT),
                table.find(NAME).orElseThrow().definition().format());
        assertTrue(table.find(NAME).orElseThrow().isRetired(), "a preview stores nothing");
    }

    @Test
    void aRevivalIsRefusedAndPreviewedAlikeWithoutAdviceToPatch() {
        define();
        next();
        retire();
        ProblemException lost = assertRefused(ProblemType.INVALID_REQUEST, () -> put(DefinitionDraft.EMPTY));
        ProblemException fixed = assertRefused(ProblemType.IMMUTABLE_FIELD, () -> put(OTHER));
        assertEquals(
                lost.members(),
                assertRefused(ProblemType.INVALID_REQUEST, () -> preview(DefinitionDraft.EMPTY))
                        .members());
        assertEquals(
                fixed.getMessage(),
                assertRefused(ProblemType.IMMUTABLE_FIELD, () -> preview(OTHER)).getMessage());
        assertRefused(
                ProblemType.RETIRED,
                () -> sequences.editor().patch(NAME, OTHER, Precondition.PRESENT, ChangeNote.NONE));
        Stream.of(lost.members().toString(), fixed.getMessage())
                .forEach(advice -> assertFalse(advice.contains("PATCH"), advice));
    }
}
