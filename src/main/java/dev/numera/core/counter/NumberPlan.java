package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans a write that allocates numbers: assigns them request by request, to the calls of this instance first and then
 * to its peers. Computed from one state of the counter, without side effects. Makes one plan; not thread-safe.
 */
final class NumberPlan {
    private final CounterId id;
    private final Versioned<CounterState> base;
    private final Sequence definition;
    private final Instant now;
    private final boolean isMarking;
    private final List<Plan.Settled> shares = new ArrayList<>();
    private final List<Plan.Settled> refused = new ArrayList<>();
    private final Map<PeerRequest, List<Allocation>> answered = new LinkedHashMap<>();
    private final List<PeerRequest> undecided = new ArrayList<>();
    private final Map<String, Allocation> keyed = new HashMap<>();
    private final List<Allocation> ledger = new ArrayList<>();
    private final AscendingDates dates;
    private long next;
    private @Nullable Long firstTaken;
    private int rounds;
    private long allocated;
    /** The room that is left in the transaction. */
    private PeerTurns.Room room;

    private NumberPlan(CounterId id, Versioned<CounterState> base, Sequence definition, Instant now) {
        this.id = id;
        this.base = base;
        this.definition = definition;
        this.now = now;
        this.dates = new AscendingDates(definition, base.value().lastDate(), now);
        this.next = base.value().next();
        this.allocated = base.value().allocated();
        this.isMarking = Transaction.mustMark(base, definition);
        this.room = PeerTurns.Room.ofTransaction(isMarking);
    }

    /** Plans a write that answers peer requests only. */
    static Plan forPeers(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            List<PeerRequest> requests,
            Instant now) {
        NumberPlan plan = new NumberPlan(id, base, definition, now);
        return definition.isStopped() || plan.isMarking
                ? Plan.nothing(base, List.of(), List.of(), requests, definition)
                : plan.plan(operationId, requests);
    }

    /**
     * Plans a write for calls of this instance, and for peers as far as the rest of the transaction has room.
     *
     * @param slots each with a {@link NumberRequest}
     * @param requests peer requests, in the order of answering
     * @param limits for the dates that the calls of this instance request
     */
    static Plan of(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            List<WaitingCall.Slot> slots,
            List<PeerRequest> requests,
            DateLimits limits,
            Instant now) {
        if (slots.isEmpty()) {
            return Plan.nothing(base, List.of(), List.of(), List.of(), definition);
        }
        if (definition.isStopped()) {
            return Plan.refuseAll(base, slots, definition.refusalAsStopped(), definition);
        }
        NumberPlan plan = new NumberPlan(id, base, definition, now);
        // A write that marks the definition answers no peers.
        List<PeerRequest> answerable = plan.isMarking ? List.of() : requests;
        plan.serve(operationId, slots, answerable, limits);
        return plan.plan(operationId, answerable);
    }

    /**
     * Returns the answers that the first of these requests would get, as many as one write holds. A preview is never
     * written, so the definition may lack a version.
     *
     * @param slots each with a {@link NumberRequest} for numbers under a key
     */
    static List<Plan.Settled> preview(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            List<WaitingCall.Slot> slots,
            DateLimits limits,
            Instant now) {
        if (definition.isStopped()) {
            return slots.stream()
                    .map(slot -> Plan.Settled.refused(slot, definition.refusalAsStopped()))
                    .toList();
        }
        NumberPlan plan = new NumberPlan(id, base, definition, now);
        plan.serve("", slots, List.of(), limits);
        return Stream.concat(plan.shares.stream(), plan.refused.stream()).toList();
    }

    /**
     * Serves the calls of this instance. They get all the room except the share of the peers, which is as much as the
     * peers need, but at most half.
     */
    private void serve(
            String operationId, List<WaitingCall.Slot> slots, List<PeerRequest> requests, DateLimits limits) {
        PeerTurns.Room forPeers = PeerTurns.leftToPeers(room, requests);
        for (WaitingCall.Slot slot : dates.inOrder(slots)) {
            NumberRequest request = (NumberRequest) slot.request;
            if (!fits(request, forPeers)) {
                // The other calls of this instance get the next write, in the same order.
                break;
            }
            if (request.orFewer()) {
                takeBlock(slot, request, operationId);
            } else {
                allocate(slot, request, limits);
            }
        }
    }

    private Plan plan(String operationId, List<PeerRequest> requests) {
        requests.forEach(this::answer);
        CounterState after = after(operationId);
        List<LedgerRow> rows = ledger.isEmpty() ? List.of() : List.of(LedgerRow.of(ledger, after.changedAt(), null));
        List<PeerRequest> withAnswers = answered.entrySet().stream()
                .map(each -> each.getKey().answered(each.getValue(), after))
                .toList();
        Transaction write = Transaction.on(id, base, definition, after, rows, List.of(), null, withAnswers);
        return new Plan(base, definition, write, shares, refused, undecided);
    }

    private boolean fits(NumberRequest request, PeerTurns.Room forPeers) {
        String key = request.key();
        return key == null || keyed.containsKey(key) || room.holds(forPeers.plus(PeerTurns.Room.of(request)));
    }

    /**
     * Answers all numbers of a peer request, or none. Leaves a key with several Unicode forms to its own instance,
     * which looks it up under each of them: an earlier version may have stored it in another form.
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
        for (NumberRequest each : request.requests()) {
            OptionalLong first = first(from, each.count());
            if (first.isEmpty()) {
                undecided.add(request);
                return;
            }
            Allocation allocation = allocation(each, first.getAsLong());
            allocations.add(allocation);
            from = allocation.last() + definition.series().increment();
        }
        allocations.forEach(this::take);
        room = room.minus(PeerTurns.Room.ANSWER);
        answered.put(request, allocations);
    }

    /**
     * Returns the first number for a request of a peer. A request for a cached sequence may be a block, so it does not
     * begin a new round: the peer's own instance first takes the numbers that are left of this round.
     */
    private OptionalLong first(long from, int count) {
        Series series = definition.series();
        return definition.fixed().guarantee() == Guarantee.CACHED && series.left(from) < count
                ? OptionalLong.empty()
                : series.first(from, count);
    }

    private boolean isNumberedHere(NumberRequest request) {
        return request.key() != null && keyed.containsKey(request.key());
    }

    private void take(Allocation allocation) {
        begin(allocation.first());
        next = allocation.last() + definition.series().increment();
        allocated += allocation.count();
        dates.took(allocation.date());
        String key = allocation.key();
        if (key != null) {
            keyed.put(key, allocation);
            ledger.add(allocation);
            room = room.minus(PeerTurns.Room.of(allocation));
        }
    }

    private void begin(long first) {
        firstTaken = firstTaken == null ? (Long) first : firstTaken;
        rounds += first == next ? 0 : 1;
    }

    private void allocate(WaitingCall.Slot slot, NumberRequest requested, DateLimits limits) {
        String key = requested.key();
        Allocation earlier = key == null ? null : keyed.get(key);
        if (earlier != null) {
            replay(slot, requested, earlier);
            return;
        }
        Result<NumberRequest> dated = limits.dated(definition, requested, base::isAbsent, dates.last(), now);
        if (dated.isRefused()) {
            refused.add(Plan.Settled.refused(slot, dated.refusal()));
            return;
        }
        NumberRequest request = dated.orThrow();
        OptionalLong first = definition.series().first(next, request.count());
        if (first.isEmpty()) {
            refuse(slot, request);
            return;
        }
        Allocation allocation = allocation(request, first.getAsLong());
        shares.add(Plan.Settled.share(slot, allocation));
        take(allocation);
    }

    private void takeBlock(WaitingCall.Slot slot, NumberRequest request, String operationId) {
        Series series = definition.series();
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
        shares.add(Plan.Settled.share(
                slot, new CounterOutcome.Block(first, count, series.increment(), after(operationId))));
    }

    /**
     * Refuses a request because too few numbers are left. The refusal states how many numbers the counter has left. If
     * these would be enough without the other requests of this plan, it states how many are left after them.
     */
    private void refuse(WaitingCall.Slot slot, NumberRequest request) {
        long from =
                Plan.isEnough(base, definition, request) ? next : base.value().next();
        refused.add(Plan.Settled.refused(slot, exhausted(id, definition.series(), from)));
    }

    private CounterState after(String operationId) {
        return base.value()
                .rounds(rounds, now)
                .allocated(
                        Objects.requireNonNullElse(firstTaken, next), next, allocated, dates.last(), operationId, now);
    }

    /**
     * Answers a repeated key of the same write as a replay. A mismatch stays open for the ledger to refuse, because the
     * key has no numbers before this write has won.
     */
    private void replay(WaitingCall.Slot slot, NumberRequest request, Allocation earlier) {
        if (request.mismatch(id.period(), earlier).isEmpty()) {
            shares.add(Plan.Settled.share(slot, earlier.asReplay()));
        }
    }

    private Allocation allocation(NumberRequest request, long first) {
        LocalDate day = request.day();
        int count = request.count();
        int revision = definition.formatRevision();
        return new Allocation(
                request.key(),
                first,
                definition.series().last(first, count),
                count,
                id.period(),
                day,
                definition.texts().text(revision, day, first),
                revision,
                now,
                false,
                request.status(now),
                null,
                null,
                request.actor());
    }

    /**
     * Returns the refusal with the count of numbers left. A single request of a cycle can take at most one whole round.
     */
    private static ProblemException exhausted(CounterId id, Series series, long next) {
        long left = series.left(series.cycle() ? series.roundStart() : next);
        return exhausted(id, series, "has " + left + " numbers left", left);
    }

    static ProblemException exhausted(CounterId id, Series series, String why, long left) {
        return new ProblemException(
                ProblemType.EXHAUSTED,
                "The sequence " + id + " " + why + " between " + series.minValue() + " and " + series.maxValue()
                        + ". Its owner can widen the range.",
                Map.of("left", left));
    }
}
