package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The state of a cycling sequence. It once showed no use of the range after the first round. */
class CycleStateTest {
    private static final SequenceName NAME = new SequenceName("shop", "locker");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(table)
            .with(AutoCreate.NEVER)
            .with(TestClock.standing(Instant.parse("2026-03-01T12:00:00Z")))
            .start();

    private SequenceState after(int numbers) {
        DefinitionDraft draft = DefinitionDraft.EMPTY
                .with(DefinitionField.MIN_VALUE, 1L)
                .with(DefinitionField.START, 3L)
                .with(DefinitionField.MAX_VALUE, 4L)
                .with(DefinitionField.CYCLE, true)
                .with(DefinitionField.FORMAT, "C{n}");
        sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
        for (int number = 0; number < numbers; number++) {
            sequences.allocator().next(NAME, List.of(new NumberRequest(null, 1, null)));
        }
        return sequences.states().state(NAME, null);
    }

    /**
     * The refusal once stated the rest of the round, starting at 0, although a request that fits starts another round.
     */
    @Test
    void aWholeRoundIsLeftForARequestThatIsTooLarge() {
        after(3);

        ProblemException refusal = sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 5, null)))
                .results()
                .get(0)
                .refusal();
        assertEquals(Map.of("left", 4L), refusal.members());
    }

    @Test
    void theShareIsThatOfTheRound() {
        SequenceState state = after(3);

        assertEquals(2, state.next());
        assertEquals(3, state.left());
        assertEquals(0.25, state.used());
    }
}
