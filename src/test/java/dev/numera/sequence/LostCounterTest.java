package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.fixtures.TestClock;
import dev.numera.format.Period;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterId;
import dev.numera.model.ImportedNumber;
import dev.numera.model.SequenceName;
import dev.numera.model.Status;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostCounterTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table)
            .with(TestClock.standing(Instant.parse("2026-11-28T12:00:00Z")))
            .start();

    private Answer<Numbers> bring(long number) {
        ImportedNumber old = new ImportedNumber("old " + number, number, null, null, Status.Kind.ISSUED, null);
        return sequences
                .imports()
                .bring(NAME, List.of(old), Change.imported("import", Instant.EPOCH, null))
                .get(0);
    }

    /** They were handed out without a key, and the advance took the sequence for one that had allocated none. */
    @Test
    void noNumberBeforeAnAdvanceOverALostCounterCanBeImported() {
        for (int number = 1; number <= 5; number++) {
            sequences.numbering().next(NAME, List.of(new Take(null, 1, null)));
        }
        table.remove(new CounterId(NAME, Period.ALWAYS.id()));

        sequences.moves().advance(NAME, 100, null, ChangeNote.NONE);

        assertEquals(ProblemType.NUMBER_TAKEN, bring(3).refusal().type());
        assertEquals(100, bring(100).orThrow().first());
    }
}
