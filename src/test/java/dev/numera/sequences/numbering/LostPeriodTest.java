package dev.numera.sequences.numbering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A counter that an instance observed is gone: only a restore's margin opens it again, and only for a period. */
class LostPeriodTest {
    private static final SequenceName NAME = new SequenceName("shop", "ticket");
    private static final LocalDate TODAY = LocalDate.now(ZoneOffset.UTC);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences observer = TestSequences.over(table).start();

    private long next() {
        return observer.allocator()
                .next(NAME, List.of(new NumberRequest(null, 5, TODAY)))
                .results()
                .get(0)
                .orThrow()
                .first();
    }

    /** Lets the instance allocate 1 to 5, and then loses the counter in a restore with a margin. */
    private void lose(ResetEvery reset, long margin) {
        DefinitionDraft draft =
                DefinitionDraft.EMPTY.with(DefinitionField.RESET_EVERY, reset).with(DefinitionField.TIME_ZONE, "UTC");
        observer.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
        assertEquals(1, next());
        table.remove(new CounterId(NAME, reset == ResetEvery.DAY ? TODAY.toString() : ""));
        table.put(table.find(NAME).orElseThrow().withRestoreMargin(margin));
    }

    private void requireRolledBack() {
        ProblemException refused = assertThrows(ProblemException.class, this::next);
        assertEquals(ProblemType.ROLLED_BACK, refused.type());
    }

    @Test
    void aPeriodOpensBeyondTheMargin() {
        lose(ResetEvery.DAY, 1_000);
        assertEquals(1_001, next());
        assertEquals(1_006, next());
    }

    @Test
    void aPeriodWithoutAMarginIsRefused() {
        lose(ResetEvery.DAY, 0);
        requireRolledBack();
    }

    @Test
    void aMarginBelowTheObservedNumberIsRefused() {
        lose(ResetEvery.DAY, 4);
        requireRolledBack();
    }

    @Test
    void theOnlyCounterIsRefusedDespiteAMargin() {
        lose(ResetEvery.NEVER, 1_000);
        requireRolledBack();
    }
}
