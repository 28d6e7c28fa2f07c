package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.numera.contract.Defined;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The first id of a sequence while an owner changes its definition. */
class SnowflakeSequenceTest {
    private static final SequenceName NAME = new SequenceName("App1", "event");
    private static final DefinitionDraft SNOWFLAKE =
            DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.SNOWFLAKE);
    private static final DefinitionDraft STRICT =
            DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.STRICT);

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final MemoryWorkerStore workers = new MemoryWorkerStore();
    private final Sequences owner = instance(table);
    private Runnable beforeMark = () -> {};
    private boolean isAnswerLost;
    private int marks;
    private final Sequences other = instance(ForwardingStore.over(DefinitionStore.class, table, request -> {
        if (!request.name().equals("mark")) {
            return request.forward();
        }
        marks++;
        beforeMark.run();
        Object result = request.forward();
        return isAnswerLost && marks == 1
                ? new WriteResult.Unknown(new StoreFailure("No answer.", true, null))
                : result;
    }));

    private Sequences instance(DefinitionStore definitions) {
        return TestSequences.over(table).with(definitions).with(workers).start();
    }

    private static PrintedAllocation next(Sequences instance) {
        return next(instance, new NumberRequest(null, 1, null));
    }

    private static PrintedAllocation next(Sequences instance, NumberRequest request) {
        return instance.allocator()
                .next(NAME, List.of(request))
                .results()
                .get(0)
                .orThrow();
    }

    private void define(DefinitionDraft draft) {
        owner.editor().put(NAME, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private static ProblemType refused(Executable call) {
        return assertThrows(ProblemException.class, call).type();
    }

    private boolean isInUse() {
        return table.find(NAME).orElseThrow().isInUse();
    }

    @Test
    void theFirstIdMarksTheDefinitionOnce() {
        define(SNOWFLAKE);
        next(other);
        assertTrue(isInUse());
        next(other);
        assertEquals(1, marks);
    }

    /** Server-Timing once reported that the first id came from memory. */
    @Test
    void theFirstIdTellsItsAttempts() {
        define(SNOWFLAKE);
        assertEquals(2, attempts(), "the mark of the definition, and the lease");
        assertEquals(0, attempts());
    }

    private int attempts() {
        return other.allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .attempts();
    }

    @Test
    void aRefusedCallMarksNothingAndTakesNoNumber() {
        define(SNOWFLAKE);
        assertEquals(ProblemType.KEY_REFUSED, refused(() -> next(other, new NumberRequest("key", 1, null))));
        assertEquals(ProblemType.INVALID_REQUEST, refused(() -> next(other, new NumberRequest(null, 257, null))));
        assertEquals(
                ProblemType.INVALID_REQUEST,
                refused(() ->
                        next(other, new NumberRequest(null, 1, LocalDate.now().plusYears(9)))));
        assertFalse(isInUse());
        assertEquals(List.of(), workers.all());
    }

    /** A sequence that is marked as in use, strict and without a counter would count as rolled back. */
    @Test
    void changeOfTheGuaranteeBeforeTheMarkWins() {
        define(SNOWFLAKE);
        beforeMark = () -> owner.editor().patch(NAME, STRICT, Precondition.PRESENT, ChangeNote.NONE);
        assertEquals(1, next(other).first());
        assertEquals(2, next(other).first());
        assertEquals(List.of(), workers.all());
    }

    @Test
    void sequenceRevivedAsAnotherKindIsNotMarked() {
        define(SNOWFLAKE);
        owner.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        assertEquals(ProblemType.RETIRED, refused(() -> next(other)));
        define(STRICT);
        assertEquals(1, next(other).first());
        assertEquals(0, marks);
    }

    @Test
    void changeAfterTheMarkIsRefused() {
        define(SNOWFLAKE);
        next(other);
        assertEquals(ProblemType.IMMUTABLE_FIELD, refused(() -> owner.editor()
                .patch(NAME, STRICT, Precondition.PRESENT, ChangeNote.NONE)));
    }

    @Test
    void anotherInstanceMayMarkFirst() {
        define(SNOWFLAKE);
        beforeMark = () -> next(owner);
        assertTrue(next(other).first() > 1L << 40);
        assertTrue(isInUse());
    }

    @Test
    void aMarkWithoutAnAnswerIsLookedUp() {
        define(SNOWFLAKE);
        isAnswerLost = true;
        assertTrue(next(other).first() > 1L << 40);
        assertEquals(1, marks);
    }

    /** The other instance has not cached an earlier definition, which it could use for a while. */
    @Test
    void retiredSequenceAllocatesNoneAndARevivedOneDoes() {
        define(SNOWFLAKE);
        owner.lifecycle().retire(NAME, Precondition.PRESENT, ChangeNote.NONE);
        assertEquals(ProblemType.RETIRED, refused(() -> next(other)));
        define(SNOWFLAKE);
        next(other);
        assertTrue(isInUse());
    }

    @Test
    void aDefinitionThatWasLostIsDefinedAgainWithoutAStart() {
        define(SNOWFLAKE);
        long before = next(owner).first();
        Sequence lost = table.find(NAME).orElseThrow();
        table.put(Defined.stored(NAME, "another id", lost.definition(), lost.formats(), false, null, lost.version()));
        assertEquals(ProblemType.ROLLED_BACK, refused(() -> next(other)));
        define(SNOWFLAKE);
        assertTrue(next(owner).first() > before);
    }

    @Test
    void advancingEverythingPassesOverIt() {
        define(SNOWFLAKE);
        next(owner);
        owner.maintenance().skipAll(1_000, ChangeNote.NONE, (name, move) -> fail("It has no counter to be moved."));
        next(owner);
    }

    @Test
    void aTextIsReadByTheFormatThatItHad() {
        define(SNOWFLAKE.with(DefinitionField.FORMAT, "A{n}").with(DefinitionField.MAX_LENGTH, 17));
        String text = next(owner).texts().get(0);
        owner.editor()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "B{n:16}"),
                        Precondition.PRESENT,
                        ChangeNote.NONE);
        assertEquals(
                Long.parseLong(text.substring(1)),
                owner.ledger().parse(NAME, text).number());
        assertEquals(ProblemType.TEXTS_TOO_LONG, refused(() -> owner.editor()
                .patch(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "CC{n}"),
                        Precondition.PRESENT,
                        ChangeNote.NONE)));
    }
}
