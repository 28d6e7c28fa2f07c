package dev.numera.core.counter;

import static dev.numera.core.counter.ScriptedStore.after;
import static dev.numera.core.counter.ScriptedStore.breaking;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.CallResult;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The leader: which call leads and for how long. No call is left waiting, whatever is thrown. */
class CounterLeaderTest extends CounterFixture {
    /**
     * Each loss admits a newcomer, so a group need not end. Its first caller once led the group long after its own
     * deadline.
     */
    @Test
    void noCallerLeadsForOthersAfterItsOwnDeadline() {
        next();
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        Counter busy = counterWith(otherThreads::add);
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        for (int attempt = 0; attempt < 40; attempt++) {
            store.onWrite(after(() -> {
                time.pass(Duration.ofSeconds(1));
                peerNext();
                newcomers.add(submit(busy, take(null, 1)));
            }));
        }
        CompletableFuture<CallResult<CounterOutcome>> own = submit(busy, take(null, 1));
        assertTrue(
                time.nanoTime() < Duration.ofSeconds(12).toNanos(),
                () -> "It was kept for " + Duration.ofNanos(time.nanoTime()));
        while (!otherThreads.isEmpty()) {
            otherThreads.remove().run();
        }
        assertProblem(ProblemType.CONTENTION, own);
        assertTrue(newcomers.stream().allMatch(CompletableFuture::isDone), "A call was left waiting.");
        assertEquals(0, otherThreads.size());
    }

    @Test
    void errorReachesEveryMemberAndTheCounterStaysUsable() {
        next();
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> IntStream.range(0, 3).forEach(caller -> waiting.add(submit(take(null, 1))))));
        store.onWrite(breaking(new LinkageError("no parser")));
        assertEquals(2, next());
        for (CompletableFuture<CallResult<CounterOutcome>> answers : waiting) {
            RuntimeException failure = assertThrows(CompletionException.class, answers::join);
            assertTrue(failure.getMessage().contains("no parser"), failure.getMessage());
        }
        assertEquals(3, next());
    }

    @Test
    void anErrorAfterTheWriteHasWonSkipsItsNumber() {
        next();
        store.onWrite(request -> () -> {
            request.get();
            throw new LinkageError("no parser");
        });
        assertThrows(RuntimeException.class, this::next);
        assertEquals(3, next());
    }

    @Test
    void anErrorWhileReadingReachesItsCaller() {
        store.onRead(breaking(new StackOverflowError()));
        assertThrows(RuntimeException.class, this::next);
        assertEquals(1, next());
    }

    @Test
    void withoutAnotherThreadTheFirstCallerServesTheOthers() {
        Counter alone = counterWith(task -> {
            throw new RejectedExecutionException();
        });
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onRead(request -> {
            waiting.add(submit(alone, new CounterRequest.Advance(100, ChangeNote.NONE)));
            waiting.add(submit(alone, take(null, 1)));
            return request;
        });
        assertEquals(1, first(submit(alone, take(null, 1))));
        assertEquals(100, first(waiting.get(1)));
    }

    /** The plan of the refused group was once passed on to the next caller, which wrote it. */
    @Test
    void refusedPlanIsNeverWritten() {
        next();
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        Counter busy = counterWith(otherThreads::add);
        List<CompletableFuture<CallResult<CounterOutcome>>> newcomers = new ArrayList<>();
        store.onWrite(request -> () -> {
            newcomers.add(submit(busy, take("newcomer", 1)));
            throw new StoreFailure("Forbidden.", false, null);
        });
        assertProblem(ProblemType.STORAGE_UNAVAILABLE, submit(busy, take("refused", 3)));
        otherThreads.remove().run();
        assertEquals(2, first(newcomers.get(0)));
        assertEquals(
                Set.of("newcomer"),
                store.table
                        .find(SEQUENCE, List.of("refused", "newcomer"), LIMITS.deadline())
                        .keySet());
    }

    @Test
    void freeThreadTakesTheLeadFromTheFirstCaller() {
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        List<Runnable> refused = new ArrayList<>();
        Counter scarce = counterWith(task -> {
            if (refused.isEmpty()) {
                refused.add(task);
                throw new OutOfMemoryError("unable to create native thread");
            }
            otherThreads.add(task);
        });
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onRead(after(() -> waiting.add(submit(scarce, new CounterRequest.Advance(100, ChangeNote.NONE)))));
        store.onWrite(request -> request);
        store.onWrite(after(() -> waiting.add(submit(scarce, take(null, 1)))));
        assertEquals(1, first(submit(scarce, take(null, 1))));
        assertTrue(waiting.get(0).isDone());
        assertFalse(waiting.get(1).isDone(), "The first caller leads on, though there is a thread again.");
        otherThreads.remove().run();
        assertEquals(100, first(waiting.get(1)));
    }

    @Test
    void anInterruptedThreadEndsItsCallAndStaysInterrupted() {
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        next();
        counter = counterWith(otherThreads::add);
        store.onWrite(request -> () -> {
            Thread.currentThread().interrupt();
            throw ScriptedStore.passing();
        });
        assertTrue(assertRefused(ProblemType.STORAGE_UNAVAILABLE).isTransient());
        assertTrue(Thread.interrupted());
        otherThreads.remove().run();
        assertEquals(2, next());
    }

    /** All calls of the group were once refused as if storage had failed permanently. */
    @Test
    void interruptedLeaderLeavesAloneAndHandsItsGroupOver() {
        Deque<Runnable> otherThreads = new ArrayDeque<>();
        next();
        counter = counterWith(otherThreads::add);
        List<CompletableFuture<CallResult<CounterOutcome>>> waiting = new ArrayList<>();
        store.onWrite(after(() -> {
            waiting.add(submit(take(null, 1)));
            peerNext();
        }));
        store.onWrite(request -> () -> {
            Thread.currentThread().interrupt();
            throw ScriptedStore.passing();
        });
        assertRefused(ProblemType.OUTCOME_UNKNOWN);
        assertTrue(Thread.interrupted());
        assertFalse(waiting.get(0).isDone(), "It goes on without the first one.");
        while (!otherThreads.isEmpty()) {
            otherThreads.remove().run();
        }
        assertEquals(3, first(waiting.get(0)));
    }
}
