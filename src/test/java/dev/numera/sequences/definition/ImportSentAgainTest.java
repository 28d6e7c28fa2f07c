package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An import that is delivered twice gets the same answer. A later import of the same rows reports them as already
 * stored.
 */
class ImportSentAgainTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant SENT = Instant.parse("2026-03-01T12:00:00Z");

    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(AutoCreate.NEVER)
            .with(TestClock.standing(SENT))
            .start();

    private boolean isThereAlready(Instant sentAt) {
        ImportedNumber old = new ImportedNumber("old", 7L, null, null, Status.Kind.ISSUED, null);
        return sequences
                .imports()
                .importNumbers(NAME, List.of(old), Change.imported("hash of its key", sentAt, null))
                .get(0)
                .orThrow()
                .replayed();
    }

    @Test
    void onlyANewImportReportsNumbersAsAlreadyThere() {
        sequences.editor().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        assertEquals(false, isThereAlready(SENT));
        assertEquals(false, isThereAlready(SENT), "delivered again");
        assertEquals(true, isThereAlready(SENT.plus(Duration.ofDays(1))), "its upload was removed after a day");
    }
}
