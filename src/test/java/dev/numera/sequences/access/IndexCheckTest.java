package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexCheckTest {
    private static final SequenceName A = new SequenceName("shop", "a");
    private static final SequenceName B = new SequenceName("shop", "b");
    private static final SequenceName UNUSED = new SequenceName("shop", "unused");

    private final Set<SequenceName> lost = new HashSet<>();
    private final List<SequenceName> read = new ArrayList<>();
    private StoreFailure failure;
    private final Sequences sequences = started();

    private Sequences started() {
        MemoryCounterStore table = new MemoryCounterStore();
        return TestSequences.over(table)
                .with(ForwardingStore.over(DefinitionStore.class, table, request -> {
                    if (!request.name().equals("indexed")) {
                        return request.forward();
                    }
                    SequenceName name = (SequenceName) request.arguments()[0];
                    read.add(name);
                    if (failure != null) {
                        throw failure;
                    }
                    return lost.contains(name) ? Optional.empty() : request.forward();
                }))
                .start();
    }

    private Optional<SequenceName> checked() {
        read.clear();
        return sequences.indexCheck().missing();
    }

    private void use(SequenceName... names) {
        for (SequenceName name : names) {
            sequences.allocator().next(name, List.of(new NumberRequest(null, 1, null)));
        }
    }

    @Test
    void anInstanceThatUsesNothingReadsNothing() {
        sequences.editor().put(UNUSED, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        lost.add(UNUSED);
        assertEquals(Optional.empty(), checked());
        assertEquals(List.of(), read);
    }

    @Test
    void eachCheckReadsOneRowInTurn() {
        use(B, A);
        List<SequenceName> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            assertEquals(Optional.empty(), checked());
            all.addAll(read);
        }
        assertEquals(List.of(A, B, A), all);
    }

    @Test
    void aMissingRowIsReportedUntilItIsThereAgain() {
        use(A, B);
        lost.add(B);
        assertEquals(Optional.empty(), checked());
        assertEquals(Optional.of(B), checked());
        assertEquals(Optional.of(B), checked());
        assertEquals(List.of(B), read);
        lost.clear();
        assertEquals(Optional.empty(), checked());
        assertEquals(List.of(B), read);
        assertEquals(Optional.empty(), checked());
        assertEquals(List.of(A), read);
    }

    @Test
    void aFailedReadChangesNoFinding() {
        use(A);
        failure = new StoreFailure("No answer.", true, null);
        assertEquals(Optional.empty(), checked());
        failure = null;
        lost.add(A);
        assertEquals(Optional.of(A), checked());
        failure = new StoreFailure("No answer.", true, null);
        assertEquals(Optional.of(A), checked());
        failure = new StoreFailure("The row cannot be read.", false, null);
        assertEquals(Optional.empty(), checked());
    }
}
