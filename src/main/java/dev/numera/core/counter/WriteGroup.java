package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls that share one write. Its {@link GroupState} defines its permissions: while a write of the group may still
 * win, the group is frozen, so no call joins and none leaves. Not thread-safe: only the leading thread calls it.
 *
 * <p>Decision: {@code docs/decisions/a-group-is-frozen-while-its-write-may-win.md}.
 */
final class WriteGroup {
    private final List<WaitingCall> calls = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    /** The ids of earlier writes of this group that may have won. */
    private final Set<String> openIds = new HashSet<>();
    /** The keys of rows that this group wrote and has already used to answer a request. */
    private final Set<@Nullable String> told = new HashSet<>();

    private int rows;
    private int ledgerUnits;
    /** Whether some keys of the group have several Unicode forms. */
    private boolean hasKeyForms;

    private GroupState state = new GroupState.Open(newId());

    private int failures;
    private int losses;
    private boolean everClashed;

    /**
     * Whether a call may join. A frozen group admits none; an open one admits calls as long as they fit one
     * transaction.
     */
    boolean admits(WaitingCall newcomer) {
        if (calls.isEmpty()) {
            return true;
        }
        if (isFrozen() || !newcomer.isAllocation() || !calls.get(0).isAllocation()) {
            return false;
        }
        Set<String> newKeys = new HashSet<>();
        int newRows = 0;
        int newUnits = 0;
        for (WaitingCall.Slot slot : newcomer.openSlots()) {
            NumberRequest request = slot.keyed;
            if (request != null && !keys.contains(request.key()) && newKeys.add(request.key())) {
                newRows += request.rows();
                newUnits += request.ledgerUnits();
            }
        }
        return rows + newRows <= WriteLimits.KEYS && ledgerUnits + newUnits <= WriteLimits.LEDGER_UNITS;
    }

    void add(WaitingCall call) {
        calls.add(call);
        count(call);
    }

    List<WaitingCall> calls() {
        return List.copyOf(calls);
    }

    boolean isAllocation() {
        return calls.get(0).isAllocation();
    }

    boolean isMove() {
        return calls.get(0).isMove();
    }

    boolean isSkip() {
        return calls.get(0).isSkip();
    }

    /** Whether the only call imports numbers, or accepts numbers that an import left out. */
    boolean isImport() {
        return calls.get(0).isImport();
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Whether the group is bound to a plan or to a peer request. Its write is about to be sent, or may still win. */
    boolean isFrozen() {
        return !(state instanceof GroupState.Open);
    }

    GroupState state() {
        return state;
    }

    /** The peer request for this group, which may still be answered; null if the group has none. */
    @Nullable
    PostedGroup ownRequest() {
        return state instanceof GroupState.Posted posted ? posted.request() : null;
    }

    /**
     * Freezes the group on a peer request. Until the request is closed, the group is written only by the transaction
     * that answers the request.
     */
    void freezeOn(PostedGroup request, EnlistedCalls enlisted) {
        state = new GroupState.Posted(request, enlisted);
    }

    /** The id of the pending plan, or of the next plan if none is pending. A group with a peer request has no id. */
    String operationId() {
        return state instanceof GroupState.Open open
                ? open.operationId()
                : pending().operationId();
    }

    /**
     * The pending plan with its writes, if any, whose outcome is unknown. Only a frozen group without a peer request
     * has one.
     */
    GroupState.Pending pending() {
        if (state instanceof GroupState.Pending pending) {
            return pending;
        }
        throw new IllegalStateException("Only a frozen group without a peer request has a pending plan.");
    }

    void freezeOn(Plan plan) {
        state = new GroupState.Pending(plan, operationId());
    }

    /** Removes the rows from the pending write, because the ledger already contains them. */
    void withoutRows() {
        state = pending().withoutRows();
    }

    /**
     * Records that a write of the pending plan was sent and is not known to have won.
     *
     * @param enlisted the calls that were enlisted for the write
     */
    void sent(WriteResult result, EnlistedCalls enlisted) {
        pending().plan().calls().forEach(WaitingCall::sent);
        everClashed |= result.hasClashed();
        state = pending().sent(result, enlisted);
    }

    /** Records that a write of the pending plan has surely changed nothing, because storage was unavailable. */
    void unsent(EnlistedCalls enlisted) {
        enlisted.release();
        state = pending().unsent();
    }

    /**
     * Records that no ledger row conflicted with the last write: another instance was faster, or an intermediary
     * invented the refusal.
     */
    void refused() {
        state = pending().refused();
    }

    /** Whether the group's last write was refused. The refusal may belong to a second copy of a write that had won. */
    boolean wasRefused() {
        return state instanceof GroupState.Pending pending && pending.wasRefused();
    }

    /** Whether all writes that may have consumed numbers for this call are known to be refused. */
    boolean isEachWriteRefused(WaitingCall call) {
        return state instanceof GroupState.Pending pending
                && !pending.everUnknown()
                && pending.calls().contains(call);
    }

    /**
     * Releases the pending plan. Call only after a read has proved that none of its writes has won or can still win.
     */
    void lost() {
        pending().calls().release();
        reopen();
    }

    /**
     * Gives the group a new operation id while an earlier write is undecided. The ledger rows of its keys will show
     * whether that write has won.
     */
    void leaveOpen() {
        openIds.add(operationId());
        reopen();
    }

    /**
     * Whether a request is the first to receive the numbers of a ledger row that this group wrote. Call once for each
     * request that gets the numbers, because the method remembers the key: of several requests with equal keys, the
     * first gets the numbers as new, and the others replay them.
     */
    boolean tellFirst(Allocation row) {
        String writer = row.operationId();
        boolean isOwn = operationId().equals(writer) || openIds.contains(writer);
        return isOwn && told.add(row.key());
    }

    /** Lets calls join the group again, under a new id, because no write under the old id matters any more. */
    void reopen() {
        state = new GroupState.Open(newId());
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    /** Refuses all remaining calls, because nothing can show any more whether the group's write has won. */
    void giveUp(long nowNanos) {
        calls.forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
    }

    /**
     * Opens the group after its peer request was closed or never posted, so the request has consumed nothing and never
     * will. Resets the losses so that the group next tries to write itself: perhaps no other instance could answer the
     * request.
     */
    void withdrawn() {
        if (state instanceof GroupState.Posted posted) {
            posted.calls().release();
            posted.calls().calls().forEach(call -> call.failed(null));
        }
        losses = 0;
        reopen();
    }

    List<WaitingCall.Slot> openSlots() {
        return calls.stream().flatMap(call -> call.openSlots().stream()).toList();
    }

    /** The requests whose keys have several Unicode forms that were not looked up in the ledger yet. */
    List<WaitingCall.Slot> unsought() {
        return hasKeyForms
                ? openSlots().stream().filter(slot -> !slot.isSought()).toList()
                : List.of();
    }

    void forEach(Consumer<WaitingCall> action) {
        calls.forEach(action);
    }

    /** Counts an attempt whose write was lost or had no answer. */
    void failed(WriteResult result) {
        losses += result.isOvertaken() ? 1 : 0;
        countFailure(null);
    }

    /** Counts an attempt that failed because storage was unavailable. */
    void failed(StoreFailure failure) {
        countFailure(failure);
    }

    private void countFailure(@Nullable StoreFailure failure) {
        failures++;
        calls.forEach(call -> call.failed(failure));
    }

    /** The number of failed attempts of this group. */
    int failures() {
        return failures;
    }

    /** Whether a ledger row conflicted with any write of this group, not only with the last one. */
    boolean everClashed() {
        return everClashed;
    }

    /**
     * The number of attempts that failed because another writer was faster, since a peer request of the group was last
     * withdrawn.
     */
    int losses() {
        return losses;
    }

    /** Removes the calls that have all their answers, and completes them. */
    void dismissAnswered() {
        List<WaitingCall> answered = new ArrayList<>(calls.size());
        for (WaitingCall call : calls) {
            if (call.isAnswered()) {
                answered.add(call);
            }
        }
        if (!answered.isEmpty()) {
            calls.removeAll(answered);
            keys.clear();
            rows = 0;
            ledgerUnits = 0;
            hasKeyForms = false;
            calls.forEach(this::count);
            answered.forEach(WaitingCall::complete);
        }
    }

    /**
     * Refuses and removes the calls that may not try again; returns whether any call is left. Call only after
     * {@link #dismissAnswered}. A frozen group loses no single call. Once none of its calls may try again, the whole
     * group ends. That is safe because no attempt will look for its id again.
     */
    boolean dismissOver(long nowNanos, int maxAttempts) {
        // A peer request may still be answered until it is closed, so the number of attempts does not count before
        // that.
        int attempts = ownRequest() == null ? maxAttempts : Integer.MAX_VALUE;
        List<WaitingCall> over =
                calls.stream().filter(call -> call.isOver(nowNanos, attempts)).toList();
        if (!over.isEmpty() && (!isFrozen() || over.size() == calls.size())) {
            over.forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
            dismissAnswered();
        }
        return !isEmpty();
    }

    /** The latest deadline of the group's callers. */
    Deadline deadline() {
        return calls.stream()
                .map(WaitingCall::deadline)
                .reduce((one, other) -> other.nanos() - one.nanos() > 0 ? other : one)
                .orElseThrow();
    }

    /** Whether no call may try again. */
    boolean isOver(long nowNanos, int maxAttempts) {
        return calls.stream().allMatch(call -> call.isOver(nowNanos, maxAttempts));
    }

    /**
     * Refuses and removes the calls whose deadline is closer than the margin. Call only for a group that is not frozen.
     */
    void dismissLate(long nowNanos, long marginNanos) {
        calls.stream()
                .filter(call -> call.leftNanos(nowNanos) <= marginNanos)
                .forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
        dismissAnswered();
    }

    /** Runs a storage request, and adds its duration to the storage time of every call in the group. */
    <T> T timed(Clock time, Supplier<T> request) {
        long began = time.nanoTime();
        try {
            return request.get();
        } finally {
            long nanos = time.nanoTime() - began;
            calls.forEach(call -> call.countStorage(nanos));
        }
    }

    private void count(WaitingCall call) {
        for (WaitingCall.Slot slot : call.openSlots()) {
            NumberRequest request = slot.keyed;
            hasKeyForms |= !slot.isSought();
            if (request != null && keys.add(request.key())) {
                rows += request.rows();
                ledgerUnits += request.ledgerUnits();
            }
        }
    }
}
