package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.LedgerRow;
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
 * What one write would do: the state after it, the ledger's new rows, and who gets what when it is won. Computed from
 * one state, without side effects. No caller gets its share before the write is won; refusals, and the shares of a plan
 * with nothing to write, are answered at once.
 *
 * @param base the state and version that it was computed from
 * @param rows what the ledger gains, as {@link Transaction#rows}
 * @param removed rows of the ledger of which an import leaves nothing
 * @param change how the counter is moved, or that numbers are imported; null where numbers are allocated
 * @param shares what requests get when the write is won; an imported number may be refused by it
 * @param refused requests that the state does not allow, and that take no part in the write. A keyed one may still be a
 *     replay, which the ledger shows
 * @param answered the peer requests that the write answers, with what they get
 * @param undecided those that are never answered here: they do not fit, or only their own instance can decide
 * @param definition what the definition said
 */
record Plan(
        Versioned<CounterState> base,
        CounterState after,
        List<LedgerRow> rows,
        List<LedgerRow> removed,
        @Nullable Change change,
        List<Settled> shares,
        List<Settled> refused,
        List<PeerRequest> answered,
        List<PeerRequest> undecided,
        Sequence definition) {
    /** A request with the answer that it gets. */
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
        answered = List.copyOf(answered);
        undecided = List.copyOf(undecided);
    }

    /** One that answers a single request, and no peers. */
    Plan(
            Versioned<CounterState> base,
            CounterState after,
            List<LedgerRow> rows,
            List<LedgerRow> removed,
            @Nullable Change change,
            WaitingCall.Slot slot,
            CounterOutcome outcome,
            Sequence definition) {
        this(
                base,
                after,
                rows,
                removed,
                change,
                List.of(Settled.share(slot, outcome)),
                List.of(),
                List.of(),
                List.of(),
                definition);
    }

    Plan withoutRows() {
        return new Plan(base, after, List.of(), removed, change, shares, refused, answered, undecided, definition);
    }

    /** Whether there is nothing to be written: no request has a share, or each has it without a write. */
    boolean isEmpty() {
        return shares.isEmpty() || after.equals(base.value());
    }

    /**
     * The refusals that hold even if this write is lost. A request that is refused because of others in the plan stays
     * open: if the write is lost, their numbers are still available, and their dates are not reached.
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

    /** Whether the counter as it was read has numbers for the request, if no other one takes them. */
    static boolean isEnough(Versioned<CounterState> base, Sequence definition, NumberRequest request) {
        int fewest = request.orFewer() ? 1 : request.count();
        return definition.series().first(base.value().next(), fewest).isPresent();
    }

    /** Whether a refusal follows from the state of the counter, which others change. */
    boolean isRefusedByState() {
        return refused.stream()
                .filter(each -> !isRefusedByDatesBeside(each))
                .map(each -> each.result().refusal().type())
                .anyMatch(type -> type == ProblemType.EXHAUSTED || type == ProblemType.DATE_ORDER);
    }

    /** Whether it moves the counter, and allocates no numbers. */
    boolean isMove() {
        return change != null && change.kind() == Change.Kind.ADVANCED;
    }

    /** Whether it imports numbers, or accepts numbers that an import left out. */
    boolean isImport() {
        return change != null && !isMove();
    }

    /** Whether a cycle begins again in it, for which the definition is read again. */
    boolean beginsRound() {
        return after.round() != base.value().round();
    }

    /** The allocations that get a row in the ledger by their keys, each of which carries the id of the operation. */
    List<Allocation> allocations() {
        return rows.stream().flatMap(row -> row.allocations().stream()).toList();
    }

    List<String> keys() {
        return allocations().stream()
                .map(Allocation::key)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The peer requests that it answers whose keys may be in the ledger already. */
    List<PeerRequest> answeredWithKeys() {
        return answered.stream().filter(request -> request.rows() > 0).toList();
    }

    /**
     * Whether the definition is marked as in use in the same transaction. What moves the counter does it each time: the
     * numbers that follow may be farther on than the owner, who changes the format meanwhile, takes into account.
     */
    boolean marksDefinition() {
        return change != null || marksDefinition(base, definition);
    }

    /** A write that opens a counter is conditioned on the version of the definition that it was computed by. */
    static boolean marksDefinition(Versioned<CounterState> base, Sequence definition) {
        return base.isAbsent() || !definition.isInUse();
    }

    /** Whether a block is shorter than requested, which only its own instance can know to be right. */
    boolean cutsABlock() {
        return shares.stream()
                .anyMatch(share -> share.slot().request instanceof NumberRequest wanted
                        && share.result().value() instanceof CounterOutcome.Block block
                        && block.count() < wanted.count());
    }

    /** Whether no write of this plan can win any more, seeing that the counter was read after these terms. */
    boolean isOvertaken(Versioned<CounterState> read, Sequence termsBefore) {
        return !Objects.equals(base.version(), read.version())
                || marksDefinition() && !Objects.equals(definition.version(), termsBefore.version());
    }

    /**
     * Whether no write of this plan has won, seeing that none can win any more and the counter does not have its id.
     */
    boolean isProvedLost(Versioned<CounterState> read, FixedFields fixed) {
        return Objects.equals(base.version(), read.version())
                || read.value().knowsAllSince(base.value())
                // An advance may run against a restored table, which contains none of its earlier writes.
                || isMove() && read.value().isBehind(base.value(), fixed);
    }

    Transaction write(CounterId id) {
        return new Transaction(
                id,
                base.version(),
                after,
                rows,
                removed,
                change,
                answered,
                marksDefinition() ? definition.version() : null);
    }

    static Plan refuseAll(
            Versioned<CounterState> base, List<WaitingCall.Slot> slots, ProblemException problem, Sequence definition) {
        List<Settled> refused =
                slots.stream().map(slot -> Settled.refused(slot, problem)).toList();
        return nothing(base, List.of(), refused, List.of(), definition);
    }

    /** With nothing to write. */
    static Plan nothing(
            Versioned<CounterState> base,
            List<Settled> shares,
            List<Settled> refused,
            List<PeerRequest> undecided,
            Sequence definition) {
        return new Plan(
                base, base.value(), List.of(), List.of(), null, shares, refused, List.of(), undecided, definition);
    }
}
