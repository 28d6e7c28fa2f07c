package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.fixtures.MemorySequences;
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

    private static DefinitionDraft countingDown(String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.START, 10L)
                .with(DefinitionField.INCREMENT, -1L)
                .with(DefinitionField.MIN_VALUE, 1L)
                .with(DefinitionField.MAX_VALUE, 10L)
                .with(DefinitionField.FORMAT, format);
    }
}
