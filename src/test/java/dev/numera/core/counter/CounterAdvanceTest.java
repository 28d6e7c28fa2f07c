package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.lostReply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.CallResult;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Series;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Advance and retirement of a counter. */
class CounterAdvanceTest extends CounterFixture {
    @Test
    void advanceMovesTheNextNumberButNeverBack() {
        next();
        assertEquals(new Change.Move(ID.period(), 2, 500), advance(500));
        assertEquals(500, next());
        assertEquals(new Change.Move(ID.period(), 501, 501), advance(7));
        assertEquals(501, next());
    }

    @Test
    void advanceBeyondTheEndIsRefused() {
        next();
        assertProblem(ProblemType.EXHAUSTED, submit(new CounterRequest.Advance(1_001, ChangeNote.NONE)));
        assertEquals(2, next());
    }

    @Test
    void everyAdvanceBeginsAnEpoch() {
        next();
        CounterState before = store.table.read(ID).orElseThrow().value();
        assertTrue(counter.isNotRolledBack(before));
        advance(1);
        assertTrue(store.table.read(ID).orElseThrow().value().epoch() > before.epoch());
        assertFalse(counter.isNotRolledBack(before));
    }

    @Test
    void anAdvanceThatWasCountedUnnoticedIsNotCountedTwice() {
        next();
        store.onWrite(lostReply());
        assertEquals(new Change.Move(ID.period(), 2, 500), advance(500));
    }

    @Test
    void gaplessLedgerShowsAnAdvance() {
        define(Guarantee.GAPLESS, NUMBERS);
        next("a");
        advance(500);
        next("b");
        advance(500);
        assertEquals(
                List.of("1-1 false", "2-499 true", "500-500 false"),
                store.table.rowsFrom(ID, 1, 10).stream()
                        .map(row -> row.first() + "-" + row.last() + " " + row.isAdvance())
                        .toList());
    }

    @Test
    void advanceWaitsForItsTurnAmongTheOthers() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(submit(take(null, 1)));
            waiting.add(submit(new CounterRequest.Advance(100, ChangeNote.NONE)));
            waiting.add(submit(take(null, 1)));
        }));
        next();
        assertEquals(3, first(waiting.get(0)));
        assertEquals(new Change.Move(ID.period(), 4, 100), waiting.get(1).join().only());
        assertEquals(100, first(waiting.get(2)));
    }

    @Test
    void continuesAfterAnAdvanceOfAPeer() {
        next();
        assertEquals(
                new Change.Move(ID.period(), 2, 500),
                peerCall(new CounterRequest.Advance(500, ChangeNote.NONE)).only());
        assertEquals(500, next());
        assertEquals(501, next());
    }

    @Test
    void retiredSequenceReturnsOnlyKnownKeys() {
        next("known");
        retire(TestClock.START);
        terms.reloaded();
        assertRefused(ProblemType.RETIRED);
        assertEquals(1, next("known").first());
        assertProblem(ProblemType.RETIRED, submit(new CounterRequest.Advance(9, ChangeNote.NONE)));
        retire(null);
        terms.reloaded();
        assertEquals(2, next());
    }

    /**
     * A kept definition may lag in everything that may still change, so the counter reads it again before it refuses a
     * call.
     */
    @Test
    void retiredDefinitionIsReadAgainBeforeARefusal() {
        next();
        retire(TestClock.START);
        terms.reloaded();
        retire(null);
        assertEquals(2, next());
    }

    @Test
    void anExhaustedSequenceIsReadAgainBeforeItRefuses() {
        define(Guarantee.STRICT, new Series(1, 1, 1, 2, false));
        assertEquals(1, allocation(submit(take(null, 2))).first());
        change(new Series(1, 1, 1, 5, false));
        assertEquals(3, next());
        int reads = terms.reads;
        assertProblem(ProblemType.EXHAUSTED, submit(take(null, 3)));
        assertEquals(reads + 1, terms.reads);
        assertEquals(new Change.Move(ID.period(), 4, 5), advance(5));
        assertProblem(ProblemType.EXHAUSTED, submit(new CounterRequest.Advance(6, ChangeNote.NONE)));
        change(new Series(1, 1, 1, 6, false));
        assertEquals(new Change.Move(ID.period(), 5, 6), advance(6));
    }

    /**
     * The peer's advance may lead beyond the range that the cached format can print, so the new epoch makes the counter
     * read the definition again.
     */
    @Test
    void newEpochRereadsTheDefinition() {
        next();
        peerCall(new CounterRequest.Advance(500, ChangeNote.NONE));
        int reads = terms.reads;
        assertEquals(500, next());
        assertEquals(reads + 1, terms.reads);
        assertEquals(501, next());
        assertEquals(reads + 1, terms.reads);
    }
}
