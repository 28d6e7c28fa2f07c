package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One caller with its requests, which stay together and in order. Whoever leads the counter's line answers them one by one; the caller
 * gets all the answers at once. Between two calls of the line it belongs to the leader alone.
 */
final class Call {
    /** A request and its answer: an outcome or a problem. */
    static final class Slot {
        final Request request;
        private Outcome outcome;
        private RuntimeException problem;

        private Slot(Request request) {
            this.request = request;
        }

        boolean isOpen() {
            return outcome == null && problem == null;
        }

        void answer(Outcome given) {
            outcome = given;
        }

        void refuse(RuntimeException reason) {
            problem = reason;
        }
    }

    private final List<Slot> slots = new ArrayList<>();
    private final CompletableFuture<Answers> answers = new CompletableFuture<>();
    private final long joinedNanos;
    private final long deadlineNanos;
    private volatile int attempts;
    private long storageNanos;
    private volatile boolean mayHaveConsumed;
    private volatile boolean isGivenUp;
    private volatile StoreFailure lastFailure;

    Call(List<? extends Request> requests, long joinedNanos, long deadlineNanos) {
        requests.forEach(request -> slots.add(new Slot(request)));
        this.joinedNanos = joinedNanos;
        this.deadlineNanos = deadlineNanos;
    }

    CompletableFuture<Answers> answers() {
        return answers;
    }

    List<Slot> openSlots() {
        List<Slot> open = new ArrayList<>(slots.size());
        for (Slot slot : slots) {
            if (slot.isOpen()) {
                open.add(slot);
            }
        }
        return open;
    }

    /** The first request tells the kind: allocations come together, anything else comes alone. */
    boolean isAllocation() {
        Request first = slots.get(0).request;
        return first instanceof Request.Allocate || first instanceof Request.Reserve;
    }

    boolean isOver(long nowNanos, int maxAttempts) {
        return isGivenUp || attempts >= maxAttempts || nowNanos - deadlineNanos >= 0;
    }

    /** An attempt came to nothing: lost or unknown, or for want of storage if there was a failure. */
    void failed(StoreFailure failure) {
        attempts++;
        lastFailure = failure;
    }

    /** How long its caller still waits, in nanoseconds; never negative. */
    long leftNanos(long nowNanos) {
        return Math.max(0, deadlineNanos - nowNanos);
    }

    long waitedNanos(long nowNanos) {
        return nowNanos - joinedNanos;
    }

    void won() {
        attempts++;
    }

    void countStorage(long nanos) {
        storageNanos += nanos;
    }

    /** A write with its requests is under way, or was never answered. */
    boolean mayHaveConsumed() {
        return mayHaveConsumed;
    }

    /**
     * To be called before a write with its requests is sent.
     *
     * @return false when its caller was told already that nothing was consumed: then no such write may be sent any more
     */
    synchronized boolean enlist() {
        if (!isGivenUp || mayHaveConsumed) {
            mayHaveConsumed = true;
        }
        return mayHaveConsumed;
    }

    /** The caller waits no longer. Returns what it is to be told, which stays true. */
    synchronized ProblemException giveUp(long nowNanos) {
        isGivenUp = true;
        return unsuccessful(nowNanos);
    }

    synchronized void setMayHaveConsumed(boolean mayHaveConsumed) {
        this.mayHaveConsumed = mayHaveConsumed;
    }

    /** Whether every request has an answer. */
    boolean isAnswered() {
        for (Slot slot : slots) {
            if (slot.isOpen()) {
                return false;
            }
        }
        return true;
    }

    /** Hands the answers over, of which none may be missing. */
    void complete() {
        List<Answers.Answer> given = new ArrayList<>(slots.size());
        for (Slot slot : slots) {
            given.add(new Answers.Answer(slot.outcome, slot.problem));
        }
        answers.complete(new Answers(Collections.unmodifiableList(given), attempts, storageNanos));
    }

    /** Refuses what has no answer yet. */
    void refuseRest(RuntimeException reason) {
        openSlots().forEach(slot -> slot.refuse(reason));
    }

    /** Why a call that may not try again did not succeed. */
    ProblemException unsuccessful(long nowNanos) {
        StoreFailure failure = lastFailure;
        Map<String, Object> members = Map.of("attempts", attempts, "elapsedMillis", (nowNanos - joinedNanos) / 1_000_000);
        if (mayHaveConsumed) {
            return new ProblemException(ProblemType.OUTCOME_UNKNOWN,
                    "The storage did not say whether the numbers were written. With the same key a retry gets them; without a key they"
                            + " may be skipped.",
                    members);
        }
        if (failure != null) {
            return new ProblemException(ProblemType.STORAGE_UNAVAILABLE, failure.getMessage(), members);
        }
        if (attempts == 0) {
            return new ProblemException(ProblemType.OVERLOADED,
                    "The call's turn did not come in time. Try again later, or spread the load over more sequences.", members);
        }
        return new ProblemException(ProblemType.CONTENTION,
                "Other writers won every attempt. Nothing was consumed; try again, or give this caller more attempts or time.", members);
    }
}
