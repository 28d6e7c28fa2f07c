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
 * The calls that share one write. What the group may do is its {@link GroupState}: while a write of the group may still
 * win it is frozen, so no call joins and none leaves. Not thread-safe: only the leading thread calls it.
 *
 * <p>Decision: {@code docs/decisions/a-group-is-frozen-while-its-write-may-win.md}.
 */
final class WriteGroup {
    /**
     * A transaction holds 100 operations: the counter, the row in number order, one for each key, and a mark for each
     * that is reserved; one less where it marks the definition.
     */
    static final int MAX_ROWS = 98;
    /** A property holds 32,768 UTF-16 units. */
    static final int MAX_LEDGER_UNITS = 30_000;

    private final List<WaitingCall> calls = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    /** Under which it wrote before, without proof that it has not won. */
    private final Set<String> openIds = new HashSet<>();
    /** The keys whose rows this group wrote, and whose numbers are already in the answer to a request. */
    private final Set<@Nullable String> told = new HashSet<>();

    private int rows;
    private int ledgerUnits;
    /** Whether some of its keys have several forms. */
    private boolean hasKeyForms;

    private GroupState state = new GroupState.Open(newId());

    private int failures;
    private int losses;

    /** Whether a call may join: never while frozen, and only as far as one transaction reaches. */
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
        for (NumberRequest request : keyed(newcomer)) {
            if (!keys.contains(request.key()) && newKeys.add(request.key())) {
                newRows += request.rows();
                newUnits += request.ledgerUnits();
            }
        }
        return rows + newRows <= MAX_ROWS && ledgerUnits + newUnits <= MAX_LEDGER_UNITS;
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

    /** Whether a write of the group may still win. */
    boolean isFrozen() {
        return !(state instanceof GroupState.Open);
    }

    GroupState state() {
        return state;
    }

    /** The peer request for this group, which may still be answered; null where there is none. */
    @Nullable
    PostedGroup ownRequest() {
        return state instanceof GroupState.Posted posted ? posted.request() : null;
    }

    /** From now on the group is written only by a transaction that answers the request, or after it is closed. */
    void hold(PostedGroup request, EnlistedCalls enlisted) {
        state = new GroupState.Posted(request, enlisted);
    }

    /** The id of the pending plan, or of the next one. A peer request has none. */
    String operationId() {
        return state instanceof GroupState.Open open
                ? open.operationId()
                : pending().operationId();
    }

    /** The write whose outcome is open, of a group that is frozen and has no peer request. */
    GroupState.Pending pending() {
        if (state instanceof GroupState.Pending pending) {
            return pending;
        }
        throw new IllegalStateException("Only a frozen group without a peer request has a pending plan.");
    }

    void hold(Plan plan) {
        state = new GroupState.Pending(plan, operationId());
    }

    /** The ledger contains the rows of the pending write already: it is tried without them. */
    void withoutRows() {
        state = pending().withoutRows();
    }

    /**
     * A write of the pending plan was sent, and is not known to be won.
     *
     * @param enlisted the calls that were enlisted for it
     */
    void sent(WriteResult result, EnlistedCalls enlisted) {
        state = pending().sent(result, enlisted);
        calls.forEach(WaitingCall::sent);
    }

    /** A write of the pending plan has surely changed nothing, since storage could not be used. */
    void unsent(EnlistedCalls enlisted) {
        enlisted.release();
        state = pending().unsent();
    }

    /** No row was in the way of the last write: another instance was faster, or an intermediary made the refusal up. */
    void refused() {
        state = pending().refused();
    }

    /** Whether its last write was refused, which may be the answer to the second copy of one that was won. */
    boolean wasRefused() {
        return state instanceof GroupState.Pending pending && pending.wasRefused();
    }

    /**
     * Whether the writes of the pending plan are all that a call may have consumed numbers by, and all were refused.
     */
    boolean wasRefused(WaitingCall call) {
        return state instanceof GroupState.Pending pending
                && !pending.everUnknown()
                && pending.calls().contains(call);
    }

    /** For when it is proved that no write of the pending plan was won, and none can win any more. */
    void lost() {
        pending().calls().release();
        release();
    }

    /** Continues although it is unknown whether a write was won: the rows of its keys show that in time. */
    void leaveOpen() {
        openIds.add(operationId());
        release();
    }

    /**
     * Whether this group wrote the row, in the pending write or in one that was left open, and no request has received
     * its numbers yet. Call once for each request that gets the numbers, because the method remembers the key: of
     * several requests with equal keys, the first gets the numbers as new, and the others replay them.
     */
    boolean tellFirst(Allocation row) {
        String writer = row.operationId();
        boolean isOwn = operationId().equals(writer) || openIds.contains(writer);
        return isOwn && told.add(row.key());
    }

    /** From now on it writes under another id: its writes were won, or are not looked for any more. */
    void release() {
        state = new GroupState.Open(newId());
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    /** It can no longer be found out whether its write was won: refuses all calls, of which none is left then. */
    void giveUp(long nowNanos) {
        calls.forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
    }

    /**
     * Its peer request is closed, or was never posted: nothing was consumed by it, and nothing will be. Perhaps no
     * instance could answer it, so the group tries by itself first.
     */
    void withdrawn() {
        if (state instanceof GroupState.Posted posted) {
            posted.calls().release();
            posted.calls().calls().forEach(call -> call.failed(null));
        }
        losses = 0;
        release();
    }

    List<WaitingCall.Slot> openSlots() {
        return calls.stream().flatMap(call -> call.openSlots().stream()).toList();
    }

    /** The requests whose keys are to be looked up in every form, before anything is written for them. */
    List<WaitingCall.Slot> unsought() {
        return hasKeyForms
                ? openSlots().stream().filter(slot -> !slot.isSought()).toList()
                : List.of();
    }

    void forEach(Consumer<WaitingCall> action) {
        calls.forEach(action);
    }

    /** An attempt came to nothing. */
    void failed(WriteResult result) {
        losses += result.isOvertaken() ? 1 : 0;
        countFailure(null);
    }

    /** An attempt came to nothing for want of storage. */
    void failed(StoreFailure failure) {
        countFailure(failure);
    }

    private void countFailure(@Nullable StoreFailure failure) {
        failures++;
        calls.forEach(call -> call.failed(failure));
    }

    /** How many attempts of this group came to nothing. */
    int failures() {
        return failures;
    }

    /** How many of them because others were faster. */
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
            calls.removeIf(WaitingCall::isAnswered);
            keys.clear();
            rows = 0;
            ledgerUnits = 0;
            hasKeyForms = false;
            calls.forEach(this::count);
            answered.forEach(WaitingCall::complete);
        }
    }

    /**
     * Refuses and removes the calls that may not try again. A frozen group loses none, but it may be given up as a
     * whole: its id will never be looked for again. Returns whether anybody is left.
     */
    boolean dismissOver(long nowNanos, int maxAttempts) {
        // A peer request has to be closed before attempts count: until then it may still be answered.
        int attempts = ownRequest() == null ? maxAttempts : Integer.MAX_VALUE;
        List<WaitingCall> over =
                calls.stream().filter(call -> call.isOver(nowNanos, attempts)).toList();
        if (!isFrozen() || over.size() == calls.size()) {
            over.forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
            dismissAnswered();
        }
        return !isEmpty();
    }

    /** The deadline of the caller that waits longest. */
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

    /** Lets those go whose time is nearly over, refused. Only for a group that is not frozen. */
    void dismissLate(long nowNanos, long marginNanos) {
        calls.stream()
                .filter(call -> call.leftNanos(nowNanos) <= marginNanos)
                .forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
        dismissAnswered();
    }

    /** The result of a storage request; its time is put down to all members. */
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
        for (NumberRequest request : keyed(call)) {
            hasKeyForms |= request.hasKeyForms();
            if (keys.add(request.key())) {
                rows += request.rows();
                ledgerUnits += request.ledgerUnits();
            }
        }
    }

    private static List<NumberRequest> keyed(WaitingCall call) {
        List<NumberRequest> keyed = new ArrayList<>();
        for (WaitingCall.Slot slot : call.openSlots()) {
            if (slot.request instanceof NumberRequest request && request.key() != null) {
                keyed.add(request);
            }
        }
        return keyed;
    }
}
