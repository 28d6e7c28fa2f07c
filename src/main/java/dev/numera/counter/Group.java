package dev.numera.counter;

import dev.numera.execution.Clock;
import dev.numera.execution.Deadline;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.CounterState;
import dev.numera.model.Take;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls that share one write. While a write of the group may still win it is frozen: no call joins, none leaves,
 * and every attempt carries the same operation id and the same plan. For suppose a write timed out, a member joined,
 * and the larger group were tried under the same id: if the first write landed late, its id would be taken for the
 * proof that the larger group was written, and the newcomer would get numbers that no write has taken. Belongs to the
 * leader of the line.
 */
final class Group {
    /**
     * A transaction holds 100 operations: the counter, the row in number order, one for each key, and a mark for each
     * that is reserved; one less where it marks the definition.
     */
    static final int MAX_ROWS = 98;
    /** A property holds 32,768 UTF-16 units. */
    static final int MAX_LEDGER_UNITS = 30_000;

    private final List<Call> calls = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    /** Those that had consumed nothing before the pending plan was sent. */
    private final Set<Call> enlisted = new HashSet<>();
    /** Under which it wrote before, without proof that it has not won. */
    private final Set<String> openIds = new HashSet<>();
    /** The keys whose rows this group wrote, and whose numbers are already in the answer to a request. */
    private final Set<@Nullable String> told = new HashSet<>();

    private int rows;
    private int ledgerUnits;
    /** Whether some of its keys have several forms. */
    private boolean hasKeyForms;

    private String operationId = UUID.randomUUID().toString();
    private @Nullable Plan pending;
    private @Nullable OwnRequest ownRequest;
    private boolean wasSent;
    private boolean wasUnknown;
    /** How its last write ended; null where none was sent. */
    private @Nullable WriteResult lastResult;

    private int failures;
    private int losses;

    /** Whether a call may join: never while frozen, and only as far as one transaction reaches. */
    boolean admits(Call newcomer) {
        if (calls.isEmpty()) {
            return true;
        }
        if (isFrozen() || !newcomer.isAllocation() || !calls.get(0).isAllocation()) {
            return false;
        }
        Set<String> newKeys = new HashSet<>();
        int newRows = 0;
        int newUnits = 0;
        for (Take request : keyed(newcomer)) {
            if (!keys.contains(request.key()) && newKeys.add(request.key())) {
                newRows += request.rows();
                newUnits += request.ledgerUnits();
            }
        }
        return rows + newRows <= MAX_ROWS && ledgerUnits + newUnits <= MAX_LEDGER_UNITS;
    }

    void add(Call call) {
        calls.add(call);
        count(call);
    }

    List<Call> calls() {
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

    boolean isFrozen() {
        return pending != null || ownRequest != null;
    }

    /** The peer request for this group, which may still be answered; null where there is none. */
    @Nullable
    OwnRequest ownRequest() {
        return ownRequest;
    }

    /** From now on the group is written only by a transaction that answers the request, or after it is closed. */
    void freeze(OwnRequest request) {
        ownRequest = request;
    }

    String operationId() {
        return operationId;
    }

    /**
     * The plan of the write whose outcome is open: there is one as long as the group is frozen and has no peer request.
     */
    Plan pending() {
        return Objects.requireNonNull(pending, "Only a frozen group has a pending plan.");
    }

    void freeze(Plan plan) {
        pending = plan;
        lastResult = null;
    }

    /** Called before a write is sent; false when a caller has the answer already that nothing was consumed. */
    boolean enlist() {
        List<Call> certain = new ArrayList<>(calls);
        certain.removeIf(Call::mayHaveConsumed);
        if (!certain.stream().allMatch(Call::enlist)) {
            certain.forEach(Call::discharge);
            return false;
        }
        enlisted.addAll(certain);
        return true;
    }

    /** A write of the pending plan was sent, and is not known to be won. */
    void sent(WriteResult result) {
        lastResult = result;
        wasSent = true;
        wasUnknown |= result instanceof WriteResult.Unknown;
        calls.forEach(Call::sent);
    }

    /** A write of the pending plan has surely changed nothing, since storage could not be used. */
    void unsent() {
        lastResult = null;
        if (!wasSent) {
            discharge();
        }
    }

    /** How the last write of the pending plan ended; empty where none was sent. */
    Optional<WriteResult> lastResult() {
        return Optional.ofNullable(lastResult);
    }

    private void discharge() {
        enlisted.forEach(Call::discharge);
    }

    /** A row of the pending write seems to be in the ledger already; the next attempt finds out which one. */
    boolean hasClashed() {
        return lastResult != null && lastResult.hasClashed();
    }

    /** Whether its last write was refused, which may be the answer to the second copy of one that was won. */
    boolean wasRefused() {
        return lastResult instanceof WriteResult.Lost;
    }

    /**
     * Whether the writes of the pending plan are all that a call may have consumed numbers by, and all were refused.
     */
    boolean wasRefused(Call call) {
        return !wasUnknown && enlisted.contains(call);
    }

    /** For when it is proved that no write of the pending plan was won, and none can win any more. */
    void lost() {
        discharge();
        thaw();
    }

    /** Continues although it is unknown whether a write was won: the rows of its keys show that in time. */
    void leaveOpen() {
        openIds.add(operationId);
        thaw();
    }

    /**
     * Whether this group wrote the row, in the pending write or in one that was left open, and no request has received
     * its numbers yet. Call once for each request that gets the numbers, because the method remembers the key: of
     * several requests with equal keys, the first gets the numbers as new, and the others replay them.
     */
    boolean tellFirst(Allocation row) {
        String writer = row.operationId();
        boolean isOwn = operationId.equals(writer) || openIds.contains(writer);
        return isOwn && told.add(row.key());
    }

    boolean wasUnknown() {
        return wasUnknown;
    }

    /** From now on it writes under another id: its writes were won, or are not looked for any more. */
    void thaw() {
        pending = null;
        ownRequest = null;
        wasSent = false;
        wasUnknown = false;
        lastResult = null;
        enlisted.clear();
        operationId = UUID.randomUUID().toString();
    }

    /** It can no longer be found out whether its write was won: refuses all calls, of which none is left then. */
    void giveUp(long nowNanos) {
        calls.forEach(call -> call.refuseRest(call.unsuccessful(nowNanos)));
    }

    /** No peer has answered its request, perhaps since none can: it tries by itself first. */
    void withdrawn() {
        losses = 0;
        thaw();
    }

    boolean isWrittenIn(CounterState state) {
        return pending != null && state.isWrittenBy(operationId);
    }

    List<Call.Slot> openSlots() {
        return calls.stream().flatMap(call -> call.openSlots().stream()).toList();
    }

    /** The requests whose keys are to be looked up in every form, before anything is written for them. */
    List<Call.Slot> unsought() {
        return hasKeyForms
                ? openSlots().stream().filter(slot -> !slot.isSought()).toList()
                : List.of();
    }

    void forEach(Consumer<Call> action) {
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
        List<Call> answered = new ArrayList<>(calls.size());
        for (Call call : calls) {
            if (call.isAnswered()) {
                answered.add(call);
            }
        }
        if (!answered.isEmpty()) {
            calls.removeIf(Call::isAnswered);
            keys.clear();
            rows = 0;
            ledgerUnits = 0;
            hasKeyForms = false;
            calls.forEach(this::count);
            answered.forEach(Call::complete);
        }
    }

    /**
     * Refuses and removes the calls that may not try again. A frozen group loses none, but it may be given up as a
     * whole: its id will never be looked for again. Returns whether anybody is left.
     */
    boolean dismissOver(long nowNanos, int maxAttempts) {
        // A peer request has to be closed before attempts count: until then it may still be answered.
        int attempts = ownRequest == null ? maxAttempts : Integer.MAX_VALUE;
        List<Call> over =
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
                .map(Call::deadline)
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

    private void count(Call call) {
        for (Take request : keyed(call)) {
            hasKeyForms |= request.hasKeyForms();
            if (keys.add(request.key())) {
                rows += request.rows();
                ledgerUnits += request.ledgerUnits();
            }
        }
    }

    private static List<Take> keyed(Call call) {
        List<Take> keyed = new ArrayList<>();
        for (Call.Slot slot : call.openSlots()) {
            if (slot.request instanceof Take request && request.key() != null) {
                keyed.add(request);
            }
        }
        return keyed;
    }
}
