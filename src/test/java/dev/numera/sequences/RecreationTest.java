package dev.numera.sequences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.definition.Precondition;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only a sequence whose table was lost gets a new id, which is written to its index row first. */
class RecreationTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final DefinitionDraft FROM_100 = DefinitionDraft.EMPTY.with(DefinitionField.START, 100L);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences owner = TestSequences.over(table).start();
    private String first;

    @BeforeEach
    void create() {
        put(owner, DefinitionDraft.EMPTY);
        first = id();
    }

    private static void put(Sequences sequences, DefinitionDraft draft) {
        sequences.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private String id() {
        return table.find(NAME).orElseThrow().id();
    }

    private String indexedId() {
        return table.indexed(NAME).orElseThrow().value();
    }

    private static long next(Sequences sequences) {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow()
                .first();
    }

    /** Replaces the definition by the definition of an earlier sequence with the same name. */
    private void putBackAnother() {
        Sequence present = table.find(NAME).orElseThrow();
        table.put(Defined.stored(
                NAME, "another id", present.definition(), present.formats(), false, null, present.version()));
    }

    /** Returns an owner whose process ends before it writes the definition. */
    private Sequences crashingOwner() {
        DefinitionStore store = ForwardingStore.over(DefinitionStore.class, table, request -> {
            if (Set.of("insert", "replace").contains(request.name())) {
                throw new CrashException();
            }
            return request.forward();
        });
        return TestSequences.over(table).with(store).start();
    }

    private static final class CrashException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aSequenceWithAnotherDefinitionIsRecreatedUnderANewId() {
        putBackAnother();

        put(owner, FROM_100);

        assertEquals(id(), indexedId());
        assertNotEquals(first, id());
        assertNotEquals("another id", id());
        assertEquals(100, next(owner));
    }

    /** A definition or counter that an owner makes during a recovery is a row that the recovery refuses. */
    @Test
    void theOwnerOfALostSequenceIsSentToTheOperatorFirst() {
        next(owner);
        CounterStore withoutCounters = ForwardingStore.over(
                CounterStore.class,
                table,
                request -> request.name().equals("read") ? Optional.empty() : request.forward());
        Sequences other = TestSequences.over(table).with(withoutCounters).start();
        String ofCounter = assertThrows(
                        ProblemException.class, () -> other.states().state(NAME, null))
                .getMessage();
        assertTrue(ofCounter.contains("Ask the operator first"), ofCounter);

        table.loseDefinition(NAME);
        String ofDefinition = assertThrows(
                        ProblemException.class,
                        () -> next(TestSequences.over(table).start()))
                .getMessage();
        assertTrue(
                ofDefinition.contains("Ask the operator first: a definition that you PUT would stop a recovery."),
                ofDefinition);
    }

    @Test
    void aCrashAfterTheIndexRowLeavesItRolledBackUntilTheRequestIsRepeated() {
        putBackAnother();

        assertThrows(CrashException.class, () -> put(crashingOwner(), FROM_100));

        assertNotEquals(first, indexedId());
        assertEquals("another id", id());
        Sequences other = TestSequences.over(table).start();
        assertEquals(
                ProblemType.ROLLED_BACK,
                assertThrows(ProblemException.class, () -> next(other)).type());
        put(owner, FROM_100);
        assertEquals(id(), indexedId());
        assertEquals(100, next(owner));
    }

    /** The second owner replaces the first one's index row, so the first must not write its definition. */
    @Test
    void ofTwoThatRecreateItOneIsRefused() {
        putBackAnother();
        Sequences overtaken = overtakenOwner(() -> put(owner, FROM_100));

        ProblemException refused = assertThrows(ProblemException.class, () -> put(overtaken, FROM_100));

        assertEquals(ProblemType.PRECONDITION_FAILED, refused.type());
        assertEquals(id(), indexedId());
        assertEquals(100, next(owner));
    }

    /** Returns an owner that another one overtakes between its writes of the index row and the definition. */
    private Sequences overtakenOwner(Runnable other) {
        boolean[] isOvertaken = new boolean[1];
        DefinitionStore store = ForwardingStore.over(DefinitionStore.class, table, request -> {
            Object answer = request.forward();
            if (answer instanceof WriteResult.Won && request.name().equals("reindex") && !isOvertaken[0]) {
                isOvertaken[0] = true;
                other.run();
            }
            return answer;
        });
        return TestSequences.over(table).with(store).start();
    }

    @Test
    void revivalAndCreationOfARetiredNameKeepTheId() {
        owner.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        put(owner, FROM_100);
        assertEquals(first, id());
        assertEquals(100, next(owner));

        owner.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        put(owner, FROM_100);
        assertEquals(List.of(first, first), List.of(id(), indexedId()));
        assertEquals(101, next(owner));
    }

    /**
     * The recreated sequence may have allocated numbers beyond every margin since the copy. Its index row was once
     * replaced.
     */
    @Test
    void marginLeavesASequenceRecreatedSinceTheCopyRefused() {
        SequenceName other = new SequenceName("App1", "other");
        owner.editor().put(other, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        putBackAnother();
        Sequences later = TestSequences.over(table).start();

        ProblemException refused = assertThrows(
                ProblemException.class, () -> later.maintenance().skipAll(1_000, ChangeNote.NONE, (name, move) -> {}));
        assertEquals(ProblemType.ROLLED_BACK, refused.type());
        assertEquals(Set.of(""), table.counters(other).keySet());
        assertEquals(
                ProblemType.ROLLED_BACK,
                assertThrows(ProblemException.class, () -> next(later)).type());
        assertEquals(first, indexedId());

        put(later, FROM_100);
        assertEquals(100, next(TestSequences.over(table).start()));
    }

    private void loseDefinitionAfter(int numbers) {
        for (int number = 1; number <= numbers; number++) {
            assertEquals(number, next(owner));
        }
        table.loseDefinition(NAME);
    }

    /** The new start was once stored without effect: the counter continued, or ran backwards over allocated numbers. */
    @Test
    void counterThatIsLeftRefusesAnotherSeries() {
        loseDefinitionAfter(6);

        for (DefinitionDraft draft : List.of(
                FROM_100,
                FROM_100.with(DefinitionField.START, 1L).with(DefinitionField.INCREMENT, 5L),
                DefinitionDraft.EMPTY.with(DefinitionField.START, 10L).with(DefinitionField.INCREMENT, -1L))) {
            ProblemException refused = assertThrows(ProblemException.class, () -> put(owner, draft));
            assertEquals(ProblemType.IMMUTABLE_FIELD, refused.type(), draft::toString);
            assertTrue(refused.getMessage().contains("its next number is 7."), refused::getMessage);
        }
    }

    /** The remaining counter may come from a backup as well. */
    @Test
    void sequenceWhoseCounterIsLeftIsSuspendedUntilItsOwnerHasAdvancedIt() {
        loseDefinitionAfter(6);

        put(owner, DefinitionDraft.EMPTY.with(DefinitionField.START, 1L));

        assertEquals(
                ProblemType.SUSPENDED,
                assertThrows(ProblemException.class, () -> next(owner)).type());
        owner.moves().advance(NAME, 1_000, null, ChangeNote.NONE);
        owner.lifecycle().resume(NAME, ChangeNote.NONE);
        assertEquals(1_000, next(owner));
    }
}
