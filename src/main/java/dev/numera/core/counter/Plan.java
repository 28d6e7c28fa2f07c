package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The write of an attempt, with the answers that depend on it. A plan is computed from one state of the counter,
 * without side effects. A caller gets its share only after the write has won. Refusals, and the shares of a plan with
 * nothing to write, are answered at once.
 *
 * @param base the state and version of the counter that the plan was computed from
 * @param definition the definition that the plan was computed by
 * @param write the write; null if there is nothing to write
 * @param shares the answers of requests after the write has won, which may be a refusal for an imported number
 * @param refused requests that the state does not allow, and that take no part in the write. A request with a key may
 *     still be a replay, which the ledger shows
 * @param undecided peer requests that this instance never answers, because they do not fit or only their own instance
 *     can decide
 */
record Plan(
        Versioned<CounterState> base,
        Sequence definition,
        @Nullable Transaction write,
        List<Settled> shares,
        List<Settled> refused,
        List<PeerRequest> undecided) {
    /** A request with its answer. */
    record Settled(WaitingCall.Slot slot, Result<CounterOutcome> result) {
        static Settled share(WaitingCall.Slot slot, CounterOutcome outcome) {
            return new Settled(slot, Result.of(outcome));
        }

        static Settled refused(WaitingCall.Slot slot, ProblemException problem) {
            return new Settled(slot, Result.refused(problem));
        }

        void answer() {
            slot.answer(result);
        }
    }

    Plan {
        undecided = List.copyOf(undecided);
    }

    /** A plan that answers a single request, and no peers. */
    Plan(
            Versioned<CounterState> base,
            Sequence definition,
            Transaction write,
            WaitingCall.Slot slot,
            CounterOutcome outcome) {
        this(base, definition, write, List.of(Settled.share(slot, outcome)), List.of(), List.of());
    }

    /** Returns the write. Call only for a plan that has one. */
    Transaction requireWrite() {
        return Objects.requireNonNull(write, "A plan with nothing to write is not sent.");
    }

    /** This instance's requests in the write. The group's other requests wait for the next write. */
    List<WaitingCall.Slot> slots() {
        return shares.stream().map(Settled::slot).toList();
    }

    /** The calls with a request in the write. */
    List<WaitingCall> calls() {
        return slots().stream().map(slot -> slot.call).distinct().toList();
    }

    /** The counter's state after the write, or the present state if there is nothing to write. */
    CounterState after() {
        return write == null ? base.value() : write.state();
    }

    /** The peer requests that the write answers, with their allocations. */
    List<PeerRequest> answered() {
        return write == null ? List.of() : write.answered();
    }

    Plan withoutRows() {
        return new Plan(base, definition, requireWrite().withoutRows(), shares, refused, undecided);
    }

    /** Whether there is nothing to write, because every request is refused or can be answered without a write. */
    boolean isEmpty() {
        return shares.isEmpty() || write == null;
    }

    /**
     * The refused requests whose refusal does not depend on whether this write wins. A request that is refused because
     * of others in the plan stays open: if the write is lost, their numbers are still available, and their dates are
     * not reached.
     */
    List<Settled> refusedAnyway() {
        return refused.stream()
                .filter(each -> !isRefusedByDatesBeside(each) && !isExhaustedBeside(each))
                .toList();
    }

    private boolean isExhaustedBeside(Settled each) {
        return each.result().refusal().type() == ProblemType.EXHAUSTED
                && each.slot().request instanceof NumberRequest numberRequest
                && isEnough(base, definition, numberRequest);
    }

    private boolean isRefusedByDatesBeside(Settled each) {
        return AscendingDates.isRefusedBeside(
                each.result().refusal(), base.value().lastDate());
    }

    /** Whether another instance would refuse a request of this plan as well, or could not serve all of them. */
    boolean isRefusedElsewhere() {
        return !refused.stream().allMatch(this::isRefusedByDatesBeside);
    }

    /** Whether the counter that was read has enough numbers for this request alone. */
    static boolean isEnough(Versioned<CounterState> base, Sequence definition, NumberRequest request) {
        int fewest = request.orFewer() ? 1 : request.count();
        return definition.series().first(base.value().next(), fewest).isPresent();
    }

    /** Whether a refusal follows from the state of the counter, which other instances may have changed. */
    boolean isRefusedByState() {
        return refused.stream()
                .filter(each -> !isRefusedByDatesBeside(each))
                .map(each -> each.result().refusal().type())
                .anyMatch(type -> type == ProblemType.EXHAUSTED || type == ProblemType.DATE_ORDER);
    }

    /** Whether the write moves the counter, and allocates no numbers. */
    boolean isMove() {
        return write != null && write.isMove();
    }

    /** Whether the write imports numbers, or accepts numbers that an import left out. */
    boolean isImport() {
        return write != null && write.change() != null && !write.isMove();
    }

    /** Whether the write begins a new round of a cycle. The definition is read again before such a write. */
    boolean beginsRound() {
        return write != null && write.state().round() != base.value().round();
    }

    /** The allocations that get a row in the ledger by their keys. Each row carries the operation id of the write. */
    List<Allocation> allocations() {
        return write == null ? List.of() : write.allocations();
    }

    List<String> keys() {
        return allocations().stream()
                .map(Allocation::key)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The answered peer requests with keys; the ledger may contain some of these keys already. */
    List<PeerRequest> answeredWithKeys() {
        return answered().stream().filter(request -> request.rows() > 0).toList();
    }

    /** Whether the write marks the definition as in use, on condition of the definition's version. */
    boolean marksDefinition() {
        return write != null && write.marksDefinition();
    }

    /**
     * Whether the plan allocates a block with fewer numbers than its request asked for. Only the instance that
     * requested the block can judge whether that is right.
     */
    boolean cutsABlock() {
        return shares.stream()
                .anyMatch(share -> share.slot().request instanceof NumberRequest wanted
                        && share.result().value() instanceof CounterOutcome.Block block
                        && block.count() < wanted.count());
    }

    /** Whether no write of this plan can win any more. Requires that the counter was read after the definition. */
    boolean isOvertaken(Versioned<CounterState> read, Sequence definitionRead) {
        return !Objects.equals(base.version(), read.version())
                || marksDefinition() && !Objects.equals(definition.version(), definitionRead.version());
    }

    /**
     * Whether no write of this plan has won. Requires that none can win any more and that the counter does not contain
     * the plan's id. Example: the counter has changed twice since the plan was computed, and both ids of these writes
     * are in its list of last ids. Neither is the plan's, so the plan is lost.
     */
    boolean isProvedLost(Versioned<CounterState> read, FixedFields fixed) {
        return Objects.equals(base.version(), read.version())
                || read.value().knowsAllSince(base.value())
                // An advance may run against a restored table, which contains none of its earlier writes.
                || isMove() && read.value().isBehind(base.value(), fixed);
    }

    static Plan refuseAll(
            Versioned<CounterState> base, List<WaitingCall.Slot> slots, ProblemException problem, Sequence definition) {
        List<Settled> refused =
                slots.stream().map(slot -> Settled.refused(slot, problem)).toList();
        return nothing(base, List.of(), refused, List.of(), definition);
    }

    /** A plan with nothing to write. */
    static Plan nothing(
            Versioned<CounterState> base,
            List<Settled> shares,
            List<Settled> refused,
            List<PeerRequest> undecided,
            Sequence definition) {
        return new Plan(base, definition, null, shares, refused, undecided);
    }
}
