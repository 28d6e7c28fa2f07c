package dev.numera.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.execution.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.model.ChangeNote;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.Page;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A read that fails in passing is tried again, before a change and for a list, too; a write is not. */
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

    /** The first request of a name fails. */
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
        return sequences.administration().patch(NAME, NARROW, Precondition.PRESENT, ChangeNote.NONE);
    }

    @BeforeEach
    void define() {
        over(table).administration().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed", "find"})
    void beforeAChange(String read) {
        assertEquals(99, narrowed(failingFirst(read)).definition().maxValue());

        failingFirst(read).lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        assertTrue(over(table).administration().get(NAME).isRetired());
    }

    /** These failed at once. */
    @ParameterizedTest
    @ValueSource(strings = {"serviceMark", "counters"})
    void beforeASequenceBegins(String read) {
        SequenceName other = new SequenceName("App1", "order");
        failingFirst(read).administration().put(other, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        failingFirst("find").lifecycle().retire(other, Precondition.PRESENT, ChangeNote.NONE);
        failingFirst(read).administration().put(other, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        assertEquals(other, over(table).administration().get(other).name());
    }

    @Test
    void forAList() {
        for (Set<Listing.Detail> details : List.of(Set.<Listing.Detail>of(), Set.of(Listing.Detail.DEFINITION))) {
            Page<ListedSequence, String> page =
                    failingFirst("list").listing().list(Listing.Wanted.all(details), 10, null);
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
