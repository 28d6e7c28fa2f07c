package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One caller with its requests, which stay together and in order. The leader answers the requests one by one; the
 * caller gets all the answers at once. Once the leader has taken the call from the line, only the leading thread uses
 * it, except where a method says otherwise.
 */
final class WaitingCall {
    /** A request and its answer. */
    static final class Slot {
        /** The call that the request is a part of. */
        final WaitingCall call;

        final CounterRequest request;
        /** The request, if it is for numbers under a key; otherwise null. */
        final @Nullable NumberRequest keyed;

        private @Nullable Result<CounterOutcome> answer;
        private @Nullable Instant openedAt;
        private boolean isSought;

        private Slot(WaitingCall call, CounterRequest request) {
            this.call = call;
            this.request = request;
            this.keyed = request instanceof NumberRequest numbers && numbers.key() != null ? numbers : null;
            this.isSought = keyed == null || !keyed.hasKeyForms();
        }

        /**
         * Whether all Unicode forms of the request's key have been looked up, or the key has only one. True if the key
         * has only one form, or if the others were looked up after the sequence began to store all keys in NFC: from
         * then on, no instance can add a row under another form.
         */
        boolean isSought() {
            return isSought;
        }

        void sought() {
            isSought = true;
        }

        boolean isOpen() {
            return answer == null;
        }

        Optional<Result<CounterOutcome>> answered() {
            return Optional.ofNullable(answer);
        }

        /** The {@link PeerRequest#openedAt} of the first peer request with this slot that a read found open. */
        Optional<Instant> openedAt() {
            return Optional.ofNullable(openedAt);
        }

        void foundOpen(@Nullable Instant since) {
            openedAt = openedAt == null ? since : openedAt;
        }

        void answer(Result<CounterOutcome> result) {
            answer = result;
        }

        void answer(CounterOutcome outcome) {
            answer(Result.of(outcome));
        }

        void refuse(ProblemException problem) {
            answer(Result.refused(problem));
        }
    }

    /** Returns every form of the keys in these requests, each once, to be looked up in the ledger. */
    static List<String> keys(List<Slot> slots) {
        return slots.stream()
                .flatMap(slot -> slot.request instanceof NumberRequest numberRequest
                        ? numberRequest.keyForms().stream()
                        : Stream.empty())
                .distinct()
                .toList();
    }

    /** Returns the ledger's answer for the first form of a key that the ledger contains; null if it contains none. */
    static @Nullable Result<Allocation> known(List<String> keyForms, Map<String, Result<Allocation>> ledger) {
        for (String form : keyForms) {
            Result<Allocation> found = ledger.get(form);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Answers the requests whose keys have numbers in the ledger: with these numbers if the request is the same, else
     * with a refusal.
     *
     * @param ledger the ledger's answers by key
     * @param isFirst whether this request is the first one to receive a row that was written for it; otherwise its
     *     answer is a replay
     */
    static void answerKnown(
            List<Slot> slots, String period, Map<String, Result<Allocation>> ledger, Predicate<Allocation> isFirst) {
        for (Slot slot : slots) {
            Result<Allocation> known =
                    slot.request instanceof NumberRequest request ? known(request.keyForms(), ledger) : null;
            if (known != null) {
                NumberRequest request = (NumberRequest) slot.request;
                slot.answer(known.unless(found -> request.mismatch(period, found))
                        .map(found -> isFirst.test(found) ? found.asFirst() : found.asReplay()));
            }
        }
    }

    /** The state of a call: whether its answer is decided, and whether a write may still be sent for it. */
    private enum Stage {
        /** The caller waits; no write with its requests is in progress. */
        WAITING,
        /** The caller waits; a write with its requests is in progress, or was never answered. */
        SENT,
        /** The caller has the answer that nothing was consumed, so no write may be sent for it any more. */
        GONE,
        /** The caller has the answer that the outcome is unknown. */
        GONE_AFTER_SENDING;

        Stage whenSent() {
            return this == WAITING ? SENT : this;
        }

        Stage whenSurelyNotWritten() {
            return this == SENT ? WAITING : this == GONE_AFTER_SENDING ? GONE : this;
        }

        Stage whenGivenUp() {
            return this == WAITING ? GONE : this == SENT ? GONE_AFTER_SENDING : this;
        }

        boolean mayHaveConsumed() {
            return this == SENT || this == GONE_AFTER_SENDING;
        }

        boolean isGone() {
            return this == GONE || this == GONE_AFTER_SENDING;
        }
    }

    private final List<Slot> slots = new ArrayList<>();
    private final CompletableFuture<CallResult<CounterOutcome>> answers = new CompletableFuture<>();
    private final long joinedNanos;
    private final Deadline deadline;
    private volatile int attempts;
    private volatile @Nullable Long triedNanos;
    private long storageNanos;
    private volatile Stage stage = Stage.WAITING;
    private volatile boolean wasSent;
    private volatile @Nullable StoreFailure lastFailure;
    private @Nullable IllegalStateException brokenOff;

    WaitingCall(List<? extends CounterRequest> requests, long joinedNanos, Deadline deadline) {
        requests.forEach(request -> slots.add(new Slot(this, request)));
        this.joinedNanos = joinedNanos;
        this.deadline = deadline;
    }

    Deadline deadline() {
        return deadline;
    }

    CompletableFuture<CallResult<CounterOutcome>> answers() {
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

    /** Whether the call allocates numbers. All requests of a call are of one kind. */
    boolean isAllocation() {
        return slots.get(0).request instanceof NumberRequest;
    }

    /**
     * Whether the call moves the counter without allocating numbers. Such a call is allowed on a counter that was
     * restored.
     */
    boolean isMove() {
        CounterRequest first = slots.get(0).request;
        return first instanceof CounterRequest.Advance || isSkip();
    }

    boolean isSkip() {
        return slots.get(0).request instanceof CounterRequest.Skip;
    }

    /** Whether the call imports numbers, or accepts numbers that an import left out. */
    boolean isImport() {
        CounterRequest first = slots.get(0).request;
        return first instanceof CounterRequest.Import || first instanceof CounterRequest.Accept;
    }

    boolean isOver(long nowNanos, int maxAttempts) {
        return stage.isGone() || attempts >= maxAttempts || deadline.nanos() - nowNanos <= 0;
    }

    /**
     * Counts an attempt without success.
     *
     * @param failure the failure of storage; null if the write was lost, its outcome is unknown, or the peer request
     *     was withdrawn
     */
    void failed(@Nullable StoreFailure failure) {
        countAttempt();
        lastFailure = failure;
    }

    /** Returns the time until the caller's deadline, in nanoseconds; never negative. */
    long leftNanos(long nowNanos) {
        return Math.max(0, deadline.nanos() - nowNanos);
    }

    long waitedNanos(long nowNanos) {
        return nowNanos - joinedNanos;
    }

    /** Marks the start of the first write attempt for this call, which ends its wait for a turn. */
    void tried(long nowNanos) {
        if (triedNanos == null) {
            triedNanos = nowNanos;
        }
    }

    void won() {
        countAttempt();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // The leader alone writes it; its caller reads it.
    private void countAttempt() {
        attempts++;
    }

    void countStorage(long nanos) {
        storageNanos += nanos;
    }

    /** Whether a write with the call's requests is in progress, or was never answered. */
    boolean mayHaveConsumed() {
        return stage.mayHaveConsumed();
    }

    /**
     * Announces that a write with the call's requests will be sent; false if the caller has already been told that
     * nothing was consumed. Must be called before the write is sent.
     *
     * @return false if the caller already has the answer that nothing was consumed; in that case the write must not be
     *     sent
     */
    synchronized boolean enlist() {
        stage = stage.whenSent();
        return stage.mayHaveConsumed();
    }

    /** Records that a write with the call's requests was sent. Not called if storage was unavailable for the write. */
    void sent() {
        wasSent = true;
    }

    /** Takes back {@link #enlist}: the write was not sent, or has provably changed nothing. */
    synchronized void discharge() {
        stage = stage.whenSurelyNotWritten();
    }

    /**
     * Ends the wait of the caller. Returns the problem that the caller gets; it stays true whatever happens to writes
     * later.
     */
    synchronized ProblemException giveUp(long nowNanos) {
        stage = stage.whenGivenUp();
        return unsuccessful(nowNanos);
    }

    /** Whether every request has an answer, or a program error has ended the call. */
    boolean isAnswered() {
        if (brokenOff != null) {
            return true;
        }
        for (Slot slot : slots) {
            if (slot.isOpen()) {
                return false;
            }
        }
        return true;
    }

    /** Completes the caller's wait with all answers. Every request must have an answer by then. */
    void complete() {
        if (brokenOff != null) {
            answers.completeExceptionally(brokenOff);
            return;
        }
        answers.complete(
                new CallResult<>(slots.stream().map(slot -> slot.answer).toList(), attempts, storageNanos));
    }

    /** Refuses the requests that have no answer yet. */
    void refuseRest(ProblemException problem) {
        openSlots().forEach(slot -> slot.refuse(problem));
    }

    /**
     * Ends the call because of a program error. The caller gets no answer, because it is unknown whether numbers were
     * written.
     */
    void breakOff(IllegalStateException fault) {
        brokenOff = fault;
    }

    /** Returns the problem of a call that did not succeed and may not try again. */
    ProblemException unsuccessful(long nowNanos) {
        StoreFailure failure = lastFailure;
        Map<String, Object> members =
                Map.of("attempts", attempts, "elapsedMillis", (nowNanos - joinedNanos) / 1_000_000);
        // A write was sent earlier. Even if it was lost, the last attempt failed in storage, so it proved nothing.
        if (stage.mayHaveConsumed() || wasSent && failure != null) {
            return new ProblemException(
                    ProblemType.OUTCOME_UNKNOWN,
                    "Storage did not confirm whether the numbers were written. Retry with the same key to get them;"
                            + " without a key, a retry gets other numbers, and these may be skipped.",
                    members);
        }
        if (failure != null) {
            return failure.with(members);
        }
        if (attempts == 0) {
            return withoutAttempt(nowNanos);
        }
        return new ProblemException(
                ProblemType.CONTENTION,
                "Other writers were faster at every attempt. Nothing was consumed. Try again later, or send fewer"
                        + " requests for this sequence at once.",
                members);
    }

    /**
     * Returns the problem of a call for which no write was attempted: {@code storage-unavailable} if storage requests
     * took more of its time than the wait for its turn, else {@code overloaded}.
     */
    ProblemException withoutAttempt(long nowNanos) {
        Long tried = triedNanos;
        long turnNanos = tried == null ? nowNanos : tried;
        long waited = Math.max(0, turnNanos - joinedNanos);
        long inStorage = joinedNanos - deadline.beganNanos() + nowNanos - turnNanos;
        if (inStorage > waited) {
            return new StoreFailure(
                    "Requests to storage used up the time of the call before its write could be sent. Nothing was"
                            + " consumed. Try again later; if this continues, check the storage account.",
                    true,
                    null);
        }
        return new ProblemException(
                ProblemType.OVERLOADED,
                "The call waited too long behind other calls for the sequence. Nothing was consumed. Try again later,"
                        + " or spread the load over more sequences.");
    }
}
