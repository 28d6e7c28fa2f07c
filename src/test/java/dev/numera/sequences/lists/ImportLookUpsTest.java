package dev.numera.sequences.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An import inserts new keys without looking them up first. A row of the ledger refuses a key that is not new. */
class ImportLookUpsTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final List<String> lookedUp = new ArrayList<>();
    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Sequences sequences = TestSequences.over(memory)
            .with(ForwardingStore.over(CounterStore.class, memory, request -> {
                if (request.name().equals("find")) {
                    ((Collection<?>) request.arguments()[1]).forEach(key -> lookedUp.add((String) key));
                }
                return request.forward();
            }))
            .with(TestClock.standing(NOW))
            .start();

    ImportLookUpsTest() {
        sequences.editor().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
    }

    private List<String> imported(String id, ImportedNumber... rows) {
        return sequences.imports().importNumbers(NAME, List.of(rows), Change.imported(id, NOW, null)).stream()
                .map(result -> result.isRefused()
                        ? result.refusal().type().name()
                        : (result.orThrow().replayed() ? "again " : "")
                                + result.orThrow().first())
                .toList();
    }

    private static ImportedNumber row(String key, long number) {
        return new ImportedNumber(key, number, null, null, Status.Kind.ISSUED, null);
    }

    @Test
    void newKeysAreNotLookedUp() {
        ImportedNumber[] rows =
                IntStream.rangeClosed(1, 150).mapToObj(i -> row("old " + i, i)).toArray(ImportedNumber[]::new);

        assertEquals(150, imported("i1", rows).size());

        assertEquals(List.of(), lookedUp);
        assertEquals(151, sequences.states().state(NAME, null).next());
    }

    @Test
    void aKeyThatHasAnotherNumberIsRefusedAndTheOthersAreImported() {
        sequences.allocator().next(NAME, List.of(new NumberRequest("known", 1, null)));

        assertEquals(
                List.of("50", "KEY_REUSED", "52"), imported("i1", row("new", 50), row("known", 51), row("other", 52)));

        assertEquals(Set.of("new", "known", "other"), Set.copyOf(lookedUp));
        assertEquals(List.of("51"), imported("i2", row("third", 51)));
    }

    @Test
    void aKeyThatHasItsNumberIsFoundWithoutAWrite() {
        imported("i1", row("a", 5), row("b", 7));
        lookedUp.clear();

        assertEquals(List.of("again 5", "NUMBER_TAKEN", "6"), imported("i2", row("a", 5), row("c", 7), row("d", 6)));

        assertEquals(List.of("a", "c"), lookedUp);
    }
}
