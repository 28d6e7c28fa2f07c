package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.TestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The kept state and the reported events after a write, however it ends. */
class AttemptCommitTest extends CounterFixture {
    private final List<String> answered = new ArrayList<>();
    private KnownCounter known;
    private Attempt attempt;

    @BeforeEach
    void begin() {
        time.pass(Duration.ofHours(1));
        next();
        CounterEnvironment around = surroundings(store);
        PeerWatcher peers = new PeerWatcher(ID, around, REQUEST_TIMEOUT, () -> {});
        known = new KnownCounter(ID, terms.current().fixed(), terms, around, peers);
        known.keep(present());
        attempt = new Attempt(
                ID, known.current().fixed(), LIMITS, around, new Watched(answered), waiting -> {}, known, peers);
    }

    @Test
    void aWonWriteIsKeptAndReported() {
        attempt.commit(plan(take(null, 2)), 1);
        assertEquals(Optional.of(present()), Optional.ofNullable(known.kept()));
        assertEquals(List.of("reached 4", "WON for 1 in 0 ms"), answered);
    }

    @Test
    void theCounterIsReadAfterAMove() {
        attempt.commit(plan(new CounterRequest.Advance(100, ChangeNote.NONE)), 1);
        assertNull(known.kept());
        assertEquals(List.of("reached 100", "WON for 1 in 0 ms"), answered);
    }

    @Test
    void aWriteWithoutStorageIsReportedAsFailed() {
        store.onWrite(request -> () -> {
            time.pass(Duration.ofMillis(5));
            throw ScriptedStore.passing();
        });
        assertThrows(StoreFailure.class, () -> attempt.commit(plan(take(null, 1)), 3));
        assertNull(known.kept());
        assertEquals(List.of("FAILED for 3 in 5 ms"), answered);
    }

    /** The error does not show whether the write was sent, so the calls are interrupted and nothing is reported. */
    @Test
    void writeInterruptedByAnErrorIsNotReported() {
        store.onWrite(ScriptedStore.breaking(new LinkageError("no parser")));
        assertThrows(LinkageError.class, () -> attempt.commit(plan(take(null, 1)), 1));
        assertNull(known.kept());
        assertEquals(List.of(), answered);
    }

    private Plan plan(CounterRequest request) {
        WaitingCall call = new WaitingCall(List.of(request), time.nanoTime(), Deadline.in(Duration.ZERO, time));
        return GroupPlanner.planOf(
                ID,
                present(),
                known.markable(),
                "operation",
                call.openSlots(),
                List.of(),
                TestLimits.DATES,
                time.now());
    }

    private Versioned<CounterState> present() {
        return store.table.read(ID).orElseThrow();
    }
}
