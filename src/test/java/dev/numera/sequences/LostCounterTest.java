package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.Period;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostCounterTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table)
            .with(TestClock.standing(Instant.parse("2026-11-28T12:00:00Z")))
            .start();

    private Result<PrintedAllocation> importNumbers(long number) {
        ImportedNumber old = new ImportedNumber("old " + number, number, null, null, Status.Kind.ISSUED, null);
        return sequences
                .imports()
                .importNumbers(NAME, List.of(old), Change.imported("import", Instant.EPOCH, null))
                .get(0);
    }

    /**
     * The numbers were allocated without a key, and the advance once treated the sequence as one without allocations.
     */
    @Test
    void noNumberBeforeAnAdvanceOverALostCounterCanBeImported() {
        for (int number = 1; number <= 5; number++) {
            sequences.allocator().next(NAME, List.of(new NumberRequest(null, 1, null)));
        }
        table.remove(new CounterId(NAME, Period.ALWAYS.id()));

        sequences.moves().advance(NAME, 100, null, ChangeNote.NONE);

        assertEquals(ProblemType.NUMBER_TAKEN, importNumbers(3).refusal().type());
        assertEquals(100, importNumbers(100).orThrow().first());
    }
}
