package dev.numera.counter;

import dev.numera.model.Allocation;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.DateLimits;
import dev.numera.model.FixedFields;
import dev.numera.model.Guarantee;
import dev.numera.model.LedgerRow;
import dev.numera.model.Outcome;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.Series;
import dev.numera.model.Take;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one write would do: the state after it, the ledger's new rows, and who gets what when it is won. Computed from
 * one state, without side effects. No caller gets its share before the write is won; refusals, and the shares of a plan
 * with nothing to write, are answered at once.
 *
 * @param base the state and version that it was computed from
 * @param rows what the ledger gains, as {@link CounterWrite#rows}
 * @param removed rows of the ledger of which an import leaves nothing
 * @param change how the counter is moved, or that numbers are imported; null where numbers are allocated
 * @param shares what requests get when the write is won; an imported number may be refused by it
 * @param refused requests that the state does not allow, and that take no part in the write. A keyed one may still be a
 *     replay, which the ledger shows
 * @param answered the peer requests that the write answers, with what they get
 * @param undecided those that are never answered here: they do not fit, or only their own instance can decide
 * @param terms what the definition said
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
        Sequence terms) {
    /** A request with the answer that it gets. */
    record Settled(Call.Slot slot, Answer<Outcome> answer) {
        private static Settled share(Call.Slot slot, Outcome outcome) {
            return new Settled(slot, Answer.of(outcome));
        }

        private static Settled refused(Call.Slot slot, ProblemException problem) {
            return new Settled(slot, Answer.refused(problem));
        }

        void settle() {
            slot.settle(answer);
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
            Call.Slot slot,
            Outcome outcome,
            Sequence terms) {
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
                terms);
    }

    Plan withoutRows() {
        return new Plan(base, after, List.of(), removed, change, shares, refused, answered, undecided, terms);
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
        return each.answer().refusal().type() == ProblemType.EXHAUSTED
                && each.slot().request instanceof Take take
                && isEnough(base, terms, take);
    }

    private boolean isRefusedByDatesBeside(Settled each) {
        return DatedRequests.isRefusedBeside(
                each.answer().refusal(), base.value().lastDate());
    }

    /** Whether another instance would refuse a request of this plan as well, or could not serve all of them. */
    boolean isRefusedElsewhere() {
        return !refused.stream().allMatch(this::isRefusedByDatesBeside);
    }

    /** Whether the counter as it was read has numbers for the request, if no other one takes them. */
    private static boolean isEnough(Versioned<CounterState> base, Sequence terms, Take take) {
        int fewest = take.orFewer() ? 1 : take.count();
        return terms.series().first(base.value().next(), fewest).isPresent();
    }

    /** Whether a refusal follows from the state of the counter, which others change. */
    boolean isRefusedByState() {
        return refused.stream()
                .filter(each -> !isRefusedByDatesBeside(each))
                .map(each -> each.answer().refusal().type())
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
        return change != null || marksDefinition(base, terms);
    }

    /** A write that opens a counter is conditioned on the version of the definition that it was computed by. */
    static boolean marksDefinition(Versioned<CounterState> base, Sequence terms) {
        return base.isAbsent() || !terms.isInUse();
    }

    /** Whether a block is shorter than requested, which only its own instance can know to be right. */
    boolean cutsABlock() {
        return shares.stream()
                .anyMatch(share -> share.slot().request instanceof Take wanted
                        && share.answer().value() instanceof Outcome.Block block
                        && block.count() < wanted.count());
    }

    /** Whether no write of this plan can win any more, seeing that the counter was read after these terms. */
    boolean isOvertaken(Versioned<CounterState> read, Sequence termsBefore) {
        return !Objects.equals(base.version(), read.version())
                || marksDefinition() && !Objects.equals(terms.version(), termsBefore.version());
    }

    /** Whether no write of this plan has won, seeing that none can win any more and the counter does not have its id. */
    boolean isProvedLost(Versioned<CounterState> read, FixedFields fixed) {
        return Objects.equals(base.version(), read.version())
                || read.value().knowsAllSince(base.value())
                // An advance may run against a restored table, which contains none of its earlier writes.
                || isMove() && read.value().isBehind(base.value(), fixed);
    }

    CounterWrite write(CounterId id) {
        return new CounterWrite(
                id, base.version(), after, rows, removed, change, answered, marksDefinition() ? terms.version() : null);
    }

    /** Only what peers request. */
    static Plan forPeers(
            CounterId id,
            Versioned<CounterState> base,
            Sequence terms,
            String operationId,
            List<PeerRequest> requests,
            Instant now) {
        return terms.isStopped() || marksDefinition(base, terms)
                ? nothing(base, List.of(), List.of(), requests, terms)
                : new Allocating(id, base, terms, now).plan(operationId, requests);
    }

    /**
     * @param requests of peers, to be answered in this order as far as there is room
     * @param limits for the dates that the calls of this instance request
     */
    static Plan of(
            CounterId id,
            Versioned<CounterState> base,
            Sequence terms,
            String operationId,
            List<Call.Slot> slots,
            List<PeerRequest> requests,
            DateLimits limits,
            Instant now) {
        if (slots.isEmpty()) {
            return nothing(base, List.of(), List.of(), List.of(), terms);
        }
        Request first = slots.get(0).request;
        if (first instanceof Request.NewEpoch) {
            return newEpoch(id, base, terms, operationId, slots.get(0), now);
        }
        if (first instanceof Request.Skip skip) {
            return skip(id, base, terms, operationId, slots.get(0), skip, now);
        }
        if (terms.isRetired()) {
            return refuseAll(base, slots, terms.refusalAsRetired(), terms);
        }
        if (first instanceof Request.Advance advance) {
            return advance(id, base, terms, operationId, slots.get(0), advance, now);
        }
        if (terms.isStopped()) {
            return refuseAll(base, slots, terms.refusalAsStopped(), terms);
        }
        return new Allocating(id, base, terms, now)
                .plan(operationId, slots, marksDefinition(base, terms) ? List.of() : requests, limits);
    }

    /** A counter that is not there is opened under the present version of the definition, so it needs no new epoch. */
    private static Plan newEpoch(
            CounterId id,
            Versioned<CounterState> base,
            Sequence terms,
            String operationId,
            Call.Slot slot,
            Instant now) {
        long next = base.value().next();
        Change.Move unmoved = new Change.Move(id.period(), next, next);
        return base.isAbsent()
                ? nothing(base, List.of(Settled.share(slot, unmoved)), List.of(), List.of(), terms)
                : new Plan(
                        base,
                        base.value().inNewEpoch(next, operationId, now),
                        List.of(),
                        List.of(),
                        null,
                        slot,
                        unmoved,
                        terms);
    }

    /**
     * Plans the write for a counter after a restore: the counter skips numbers, is opened, or is accepted as restored.
     * If the counter keeps its next number, the answer is a move from that number to itself.
     */
    private static Plan skip(
            CounterId id,
            Versioned<CounterState> base,
            Sequence terms,
            String operationId,
            Call.Slot slot,
            Request.Skip skip,
            Instant now) {
        CounterState state = base.value();
        long next = state.next();
        boolean isTooFew =
                skip.kind() == Request.Skip.Kind.BY_MARGIN && terms.series().left(next) / 2 < skip.numbers();
        Change.Move unmoved = new Change.Move(id.period(), next, next);
        if (skip.kind() == Request.Skip.Kind.OPENING && !base.isAbsent() || isTooFew && state.restoredFrom() != null) {
            return nothing(base, List.of(Settled.share(slot, unmoved)), List.of(), List.of(), terms);
        }
        if (skip.kind() == Request.Skip.Kind.ACCEPTING) {
            CounterState accepted = state.restored(null).inNewEpoch(next, operationId, now);
            return move(base, accepted, terms, slot, unmoved, skip.note());
        }
        CounterState unknown = state.perhapsAllocated();
        if (isTooFew) {
            CounterState marked = unknown.restored(next).inNewEpoch(next, operationId, now);
            return move(base, marked, terms, slot, unmoved, skip.note());
        }
        Change.Move skipped = new Change.Move(id.period(), next, terms.series().beyond(next, skip.numbers()));
        CounterState after = unknown.inNewEpoch(skipped.next(), operationId, now)
                .restored(skip.numbers() == 0 ? state.restoredFrom() : null);
        return move(base, after, terms, slot, skipped, skip.note());
    }

    private static Plan advance(
            CounterId id,
            Versioned<CounterState> base,
            Sequence terms,
            String operationId,
            Call.Slot slot,
            Request.Advance requested,
            Instant now) {
        Series series = terms.series();
        long previous = base.value().next();
        long next = series.atOrBeyond(previous, requested.nextAtLeast());
        if (next != previous && !series.contains(next)) {
            String why = "has no number at or beyond " + requested.nextAtLeast();
            return refuseAll(base, List.of(slot), exhausted(id, series, why, series.left(previous)), terms);
        }
        Change.Move moved = new Change.Move(id.period(), previous, next);
        CounterState known = isLost(base, terms) ? base.value().perhapsAllocated() : base.value();
        CounterState after = known.inNewEpoch(next, operationId, now).advanced(terms.restoreMargin(), series);
        return move(base, after, terms, slot, moved, requested.note());
    }

    /** Whether a counter that allocated numbers is gone: which ones is unknown. */
    private static boolean isLost(Versioned<CounterState> base, Sequence terms) {
        return base.isAbsent() && terms.isInUse() && terms.fixed().isNeverReset();
    }

    /** The range that is passed over reaches from the number that was next to the last one before the new next. */
    private static Plan move(
            Versioned<CounterState> base,
            CounterState after,
            Sequence terms,
            Call.Slot slot,
            Change.Move move,
            ChangeNote note) {
        boolean leavesRow = terms.fixed().guarantee() == Guarantee.GAPLESS && !move.isNone();
        long last = move.lastPassed(terms.series().increment());
        LedgerRow row = LedgerRow.passed(move.previousNext(), last, after.changedAt(), note, null);
        Change change = Change.advanced(move, note, after);
        return new Plan(base, after, leavesRow ? List.of(row) : List.of(), List.of(), change, slot, move, terms);
    }

    static Plan refuseAll(
            Versioned<CounterState> base, List<Call.Slot> slots, ProblemException problem, Sequence terms) {
        List<Settled> refused =
                slots.stream().map(slot -> Settled.refused(slot, problem)).toList();
        return nothing(base, List.of(), refused, List.of(), terms);
    }

    /** With nothing to write. */
    private static Plan nothing(
            Versioned<CounterState> base,
            List<Settled> shares,
            List<Settled> refused,
            List<PeerRequest> undecided,
            Sequence terms) {
        return new Plan(base, base.value(), List.of(), List.of(), null, shares, refused, List.of(), undecided, terms);
    }

    /** Of a cycle a whole round is left for each request, but no more. */
    private static ProblemException exhausted(CounterId id, Series series, long next) {
        long left = series.left(series.cycle() ? series.roundStart() : next);
        return exhausted(id, series, "has " + left + " numbers left", left);
    }

    private static ProblemException exhausted(CounterId id, Series series, String why, long left) {
        return new ProblemException(
                ProblemType.EXHAUSTED,
                "The sequence " + id + " " + why + " between " + series.minValue() + " and " + series.maxValue()
                        + ". Its owner can widen the range.",
                Map.of("left", left));
    }

    /** Hands the numbers of one write out, request after request. */
    private static final class Allocating {
        private final CounterId id;
        private final Versioned<CounterState> base;
        private final Sequence terms;
        private final Instant now;
        private final List<Settled> shares = new ArrayList<>();
        private final List<Settled> refused = new ArrayList<>();
        private final Map<PeerRequest, List<Allocation>> answered = new LinkedHashMap<>();
        private final List<PeerRequest> undecided = new ArrayList<>();
        private final Map<String, Allocation> keyed = new HashMap<>();
        private final List<Allocation> ledger = new ArrayList<>();
        private final DatedRequests dates;
        private long next;
        private @Nullable Long firstTaken;
        private int rounds;
        private long allocated;
        /** The room that is left in the transaction. */
        private PeerTurns.Room room;

        Allocating(CounterId id, Versioned<CounterState> base, Sequence terms, Instant now) {
            this.id = id;
            this.base = base;
            this.terms = terms;
            this.now = now;
            this.dates = new DatedRequests(terms, base.value().lastDate(), now);
            this.next = base.value().next();
            this.allocated = base.value().allocated();
            this.room = PeerTurns.Room.ofTransaction(marksDefinition(base, terms));
        }

        /** The calls of this instance may take all the room but what peers need, which is up to half of it. */
        Plan plan(String operationId, List<Call.Slot> slots, List<PeerRequest> requests, DateLimits limits) {
            PeerTurns.Room forPeers = PeerTurns.leftToPeers(room, requests);
            for (Call.Slot slot : dates.inOrder(slots)) {
                Take request = (Take) slot.request;
                if (!fits(request, forPeers)) {
                    // The others get the next write, in the same order.
                    break;
                }
                if (request.orFewer()) {
                    takeBlock(slot, request, operationId);
                } else {
                    allocate(slot, request, limits);
                }
            }
            return plan(operationId, requests);
        }

        private Plan plan(String operationId, List<PeerRequest> requests) {
            requests.forEach(this::answer);
            CounterState after = after(operationId);
            return new Plan(
                    base,
                    after,
                    ledger.isEmpty() ? List.of() : List.of(LedgerRow.of(ledger, after.changedAt(), null)),
                    List.of(),
                    null,
                    shares,
                    refused,
                    answered.entrySet().stream()
                            .map(each -> each.getKey().answered(each.getValue(), after))
                            .toList(),
                    undecided,
                    terms);
        }

        private boolean fits(Take request, PeerTurns.Room forPeers) {
            return request.key() == null
                    || keyed.containsKey(request.key())
                    || room.holds(forPeers.plus(PeerTurns.Room.of(request)));
        }

        /**
         * Answers all that it requests, or nothing. A key with several forms is left to its own instance, which looks
         * it up under each of them: an earlier version may have stored it in another form.
         */
        private void answer(PeerRequest request) {
            if (request.isForPauseOnly()
                    || request.requests().stream().anyMatch(each -> isNumberedHere(each) || each.hasKeyForms())) {
                undecided.add(request);
                return;
            }
            if (!room.holds(PeerTurns.Room.of(request))) {
                return;
            }
            if (!dates.areAsSent(request.requests())) {
                undecided.add(request);
                return;
            }
            List<Allocation> allocations = new ArrayList<>();
            long from = next;
            for (Take each : request.requests()) {
                OptionalLong first = first(from, each.count());
                if (first.isEmpty()) {
                    undecided.add(request);
                    return;
                }
                Allocation allocation = allocation(each, first.getAsLong());
                allocations.add(allocation);
                from = allocation.last() + terms.series().increment();
            }
            allocations.forEach(this::take);
            room = room.minus(PeerTurns.Room.ANSWER);
            answered.put(request, allocations);
        }

        /** What may be a block does not begin a new round, since its own instance takes what is left of this one. */
        private OptionalLong first(long from, int count) {
            Series series = terms.series();
            return terms.fixed().guarantee() == Guarantee.CACHED && series.left(from) < count
                    ? OptionalLong.empty()
                    : series.first(from, count);
        }

        private boolean isNumberedHere(Take request) {
            return request.key() != null && keyed.containsKey(request.key());
        }

        private void take(Allocation allocation) {
            begin(allocation.first());
            next = allocation.last() + terms.series().increment();
            allocated += allocation.count();
            dates.took(allocation.date());
            if (allocation.key() != null) {
                keyed.put(allocation.key(), allocation);
                ledger.add(allocation);
                room = room.minus(PeerTurns.Room.of(allocation));
            }
        }

        private void begin(long first) {
            firstTaken = firstTaken == null ? (Long) first : firstTaken;
            rounds += first == next ? 0 : 1;
        }

        private void allocate(Call.Slot slot, Take requested, DateLimits limits) {
            Allocation earlier = requested.key() == null ? null : keyed.get(requested.key());
            if (earlier != null) {
                replay(slot, requested, earlier);
                return;
            }
            Answer<Take> dated = limits.dated(terms, requested, base::isAbsent, dates.last(), now);
            if (dated.isRefused()) {
                refused.add(Settled.refused(slot, dated.refusal()));
                return;
            }
            Take request = dated.orThrow();
            OptionalLong first = terms.series().first(next, request.count());
            if (first.isEmpty()) {
                refuse(slot, request);
                return;
            }
            Allocation allocation = allocation(request, first.getAsLong());
            shares.add(Settled.share(slot, allocation));
            take(allocation);
        }

        private void takeBlock(Call.Slot slot, Take request, String operationId) {
            Series series = terms.series();
            OptionalLong begin = series.first(next, 1);
            if (begin.isEmpty()) {
                refuse(slot, request);
                return;
            }
            long first = begin.getAsLong();
            int count = (int) Math.min(series.left(first), request.count());
            begin(first);
            next = series.last(first, count) + series.increment();
            allocated += count;
            shares.add(Settled.share(slot, new Outcome.Block(first, count, series.increment(), after(operationId))));
        }

        /** With what is left in the counter, unless that is enough and only the others of this plan take it. */
        private void refuse(Call.Slot slot, Take request) {
            long from = isEnough(base, terms, request) ? next : base.value().next();
            refused.add(Settled.refused(slot, exhausted(id, terms.series(), from)));
        }

        private CounterState after(String operationId) {
            return base.value()
                    .rounds(rounds, now)
                    .allocated(
                            Objects.requireNonNullElse(firstTaken, next),
                            next,
                            allocated,
                            dates.last(),
                            operationId,
                            now);
        }

        /** A mismatch is left for the ledger to refuse: before this write is won the key has no numbers. */
        private void replay(Call.Slot slot, Take request, Allocation earlier) {
            if (request.mismatch(id.period(), earlier).isEmpty()) {
                shares.add(Settled.share(slot, earlier.asReplay()));
            }
        }

        private Allocation allocation(Take request, long first) {
            return new Allocation(
                    request.key(),
                    first,
                    terms.series().last(first, request.count()),
                    request.count(),
                    id.period(),
                    request.day(),
                    terms.text(terms.formatRevision(), request.day(), first),
                    terms.formatRevision(),
                    now,
                    false,
                    request.status(now),
                    null,
                    null,
                    request.actor());
        }
    }
}
