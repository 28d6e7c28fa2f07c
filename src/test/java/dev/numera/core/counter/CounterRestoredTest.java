package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.contract.Transactions;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables that were restored or deleted: no number is allocated twice, and an advance ends the refusals. */
class CounterRestoredTest extends CounterFixture {
    @Test
    void anOldCopyOfTheTableIsRefusedUntilItIsAdvanced() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        next();
        store.table.restore(backup);

        String message = assertRefused(ProblemType.ROLLED_BACK).getMessage();
        assertTrue(message.contains("has the next number 2, but had 4 before"), message);
        assertRefused(ProblemType.ROLLED_BACK);
        assertEquals(new Change.Move(ID.period(), 2, 4), advance(4));
        assertEquals(4, next());
    }

    @Test
    void anOldCopyIsRefusedUntilAnotherInstanceAdvancesIt() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.table.restore(backup);
        assertThrows(ProblemException.class, this::next);
        peerCall(new CounterRequest.Advance(3, ChangeNote.NONE));
        assertEquals(3, next());
    }

    /**
     * The refused advance once left the restored state in memory. The next call was served from this state, and 2 was
     * allocated twice.
     */
    @Test
    void aRefusedAdvanceDoesNotHideARestoredTable() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.table.restore(backup);
        assertRefused(ProblemType.ROLLED_BACK);
        assertProblem(ProblemType.EXHAUSTED, submit(new CounterRequest.Advance(1_001, ChangeNote.NONE)));
        assertRefused(ProblemType.ROLLED_BACK);
    }

    /** Any new epoch once counted as proof of a sufficient advance, and 2 was allocated twice. */
    @Test
    void aNewEpochDoesNotHideARestoredTable() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.table.restore(backup);
        peerCall(new CounterRequest.Skip(0, ChangeNote.NONE));
        assertRefused(ProblemType.ROLLED_BACK);
        call(new CounterRequest.Skip(0, ChangeNote.NONE));
        assertRefused(ProblemType.ROLLED_BACK);
        advance(3);
        assertEquals(3, next());
    }

    /**
     * An instance whose clock was a day ahead once wrote an epoch by an advance. When the table was then restored, this
     * epoch locked the other instances out until they restarted.
     */
    @Test
    void clockADayAheadBlocksNoInstance() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        time.pass(Duration.ofDays(1));
        peerCall(new CounterRequest.Advance(5, ChangeNote.NONE));
        time.pass(Duration.ofDays(-1));
        assertEquals(5, next());
        store.table.restore(backup);
        assertRefused(ProblemType.ROLLED_BACK);
        peer().call(List.of(new CounterRequest.Advance(6, ChangeNote.NONE)), deadline());
        assertEquals(6, next());
    }

    @Test
    void advanceBelowTheLastAllocatedNumberKeepsTheRefusal() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        next();
        store.table.restore(backup);
        advance(3);
        assertRefused(ProblemType.ROLLED_BACK);
        peerCall(new CounterRequest.Advance(4, ChangeNote.NONE));
        assertEquals(4, next());
    }

    @Test
    void missingCounterIsRefusedUntilAdvanced() {
        next();
        next();
        CounterState seen = store.table.read(ID).orElseThrow().value();
        store.table.remove(ID);
        assertRefused(ProblemType.ROLLED_BACK);
        assertEquals(
                ProblemType.ROLLED_BACK,
                assertThrows(ProblemException.class, () -> counter.isNotRolledBack(seen))
                        .type());
        assertEquals(new Change.Move(ID.period(), 1, 3), advance(3));
        assertEquals(3, next());
    }

    /**
     * The recreated counter starts with an epoch lower than the observed one, yet counts as newer than the state that
     * was refused.
     */
    @Test
    void missingCounterIsBegunAgainByAnInstanceWhoseClockIsBehind() {
        time.pass(Duration.ofDays(1));
        next();
        next();
        time.pass(Duration.ofDays(-1));
        store.table.remove(ID);
        assertRefused(ProblemType.ROLLED_BACK);
        peerCall(new CounterRequest.Advance(3, ChangeNote.NONE)).only();
        assertEquals(3, next());
    }

    /**
     * The other process has not observed how far the counter was, but its write conflicts with the number's row in the
     * ledger.
     */
    @Test
    void aCounterBehindItsLedgerIsRefusedUntilItIsAdvanced() {
        CounterState before = allocateAndPutBack();
        ProblemException refusal = assertThrows(ProblemException.class, () -> next("new"));
        assertEquals(ProblemType.ROLLED_BACK, refusal.type());
        assertTrue(refusal.getMessage().contains("is behind its ledger"), refusal::getMessage);
        assertEquals(before, store.table.read(ID).orElseThrow().value());
        store.log.clear();
        assertRefused(ProblemType.ROLLED_BACK);
        assertEquals(List.of("read"), store.log);
        advance(3);
        assertEquals(3, next("new").first());
    }

    /** Allocates two numbers and puts only the counter back, to before the second number. The ledger keeps both. */
    private CounterState allocateAndPutBack() {
        peerCall(take("first", 1));
        CounterState before = store.table.read(ID).orElseThrow().value();
        peerCall(take("second", 1));
        String version = store.table.read(ID).orElseThrow().version();
        won(store.table.write(Transactions.of(ID, version, before, List.of(), null)));
        return before;
    }

    /**
     * The table is restored during the advance and contains none of its writes, so the advance starts again from the
     * restored state.
     */
    @Test
    void anAdvanceWithoutAnAnswerGoesOnWhereTheTableIsRestoredMeanwhile() {
        next();
        MemoryCounterStore.Backup backup = store.table.backup();
        next();
        store.onWrite(request -> () -> {
            store.table.restore(backup);
            return ScriptedStore.unknown();
        });
        assertEquals(new Change.Move(ID.period(), 2, 9), advance(9));
        assertEquals(9, next());
    }
}
