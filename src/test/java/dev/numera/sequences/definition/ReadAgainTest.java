package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.catalog.ListedSequence;
import dev.numera.sequences.catalog.SequenceList;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that fail temporarily are retried, also before a change and for a list. Writes are not. */
class ReadAgainTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final DefinitionDraft NARROW = DefinitionDraft.EMPTY.with(DefinitionField.MAX_VALUE, 99L);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final TestClock clock = TestClock.alone(Instant.EPOCH);

    private Sequences over(DefinitionStore definitions) {
        return TestSequences.over(table)
                .with(definitions)
                .with(AutoCreate.NEVER)
                .with(clock)
                .with(() -> 0.5, Runnable::run)
                .start();
    }

    /** Returns an instance whose first request with a given name fails. */
    private Sequences failingFirst(String failed) {
        Set<String> failing = new HashSet<>(Set.of(failed));
        return over(ForwardingStore.over(DefinitionStore.class, table, request -> {
            if (failing.remove(request.name())) {
                throw new StoreFailure("No answer.", true, null);
            }
            return request.forward();
        }));
    }

    private static Sequence narrowed(Sequences sequences) {
        return sequences.editor().patch(NAME, NARROW, Precondition.PRESENT, ChangeNote.NONE);
    }

    @BeforeEach
    void define() {
        over(table).editor().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed", "find"})
    void beforeAChange(String read) {
        assertEquals(99, narrowed(failingFirst(read)).definition().maxValue());

        failingFirst(read).lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        assertTrue(over(table).editor().get(NAME).isRetired());
    }

    /** These reads once failed without a retry. */
    @ParameterizedTest
    @ValueSource(strings = {"serviceMark", "counters"})
    void beforeASequenceBegins(String read) {
        SequenceName other = new SequenceName("App1", "order");
        failingFirst(read).editor().put(other, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        failingFirst("find").lifecycle().retire(other, Precondition.PRESENT, ChangeNote.NONE);
        failingFirst(read).editor().put(other, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        assertEquals(other, over(table).editor().get(other).name());
    }

    @Test
    void forAList() {
        for (Set<SequenceList.Detail> details :
                List.of(Set.<SequenceList.Detail>of(), Set.of(SequenceList.Detail.DEFINITION))) {
            Page<ListedSequence, String> page =
                    failingFirst("list").list().list(SequenceList.Wanted.all(details), 10, null);
            assertEquals(
                    List.of(NAME),
                    page.items().stream()
                            .map(entry -> new SequenceName(entry.scope(), entry.name()))
                            .toList());
        }
    }

    @Test
    void aWriteIsNotTriedAgain() {
        assertThrows(StoreFailure.class, () -> narrowed(failingFirst("replace")));
    }
}
