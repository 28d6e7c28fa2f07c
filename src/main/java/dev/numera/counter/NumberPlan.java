package dev.numera.counter;

import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.DateLimits;
import dev.numera.model.Guarantee;
import dev.numera.model.LedgerRow;
import dev.numera.model.Outcome;
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
 * Plans a write that allocates numbers: hands them out request after request, to the calls of this instance first and
 * then to its peers. Computed from one state of the counter, without side effects. For one write; not thread-safe.
 */
final class NumberPlan {
    private final CounterId id;
    private final Versioned<CounterState> base;
    private final Sequence terms;
    private final Instant now;
    private final List<Plan.Settled> shares = new ArrayList<>();
    private final List<Plan.Settled> refused = new ArrayList<>();
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

    private NumberPlan(CounterId id, Versioned<CounterState> base, Sequence terms, Instant now) {
        this.id = id;
        this.base = base;
        this.terms = terms;
        this.now = now;
        this.dates = new DatedRequests(terms, base.value().lastDate(), now);
        this.next = base.value().next();
        this.allocated = base.value().allocated();
        this.room = PeerTurns.Room.ofTransaction(Plan.marksDefinition(base, terms));
    }

    /** Only what peers request. */
    static Plan forPeers(
            CounterId id,
            Versioned<CounterState> base,
            Sequence terms,
            String operationId,
            List<PeerRequest> requests,
            Instant now) {
        return terms.isStopped() || Plan.marksDefinition(base, terms)
                ? Plan.nothing(base, List.of(), List.of(), requests, terms)
                : new NumberPlan(id, base, terms, now).plan(operationId, requests);
    }

    /**
     * @param slots each with a {@link Take}
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
            return Plan.nothing(base, List.of(), List.of(), List.of(), terms);
        }
        if (terms.isRetired()) {
            return Plan.refuseAll(base, slots, terms.refusalAsRetired(), terms);
        }
        if (terms.isStopped()) {
            return Plan.refuseAll(base, slots, terms.refusalAsStopped(), terms);
        }
        return new NumberPlan(id, base, terms, now)
                .plan(operationId, slots, Plan.marksDefinition(base, terms) ? List.of() : requests, limits);
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
     * Answers all that it requests, or nothing. A key with several forms is left to its own instance, which looks it up
     * under each of them: an earlier version may have stored it in another form.
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
            refused.add(Plan.Settled.refused(slot, dated.refusal()));
            return;
        }
        Take request = dated.orThrow();
        OptionalLong first = terms.series().first(next, request.count());
        if (first.isEmpty()) {
            refuse(slot, request);
            return;
        }
        Allocation allocation = allocation(request, first.getAsLong());
        shares.add(Plan.Settled.share(slot, allocation));
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
        shares.add(Plan.Settled.share(slot, new Outcome.Block(first, count, series.increment(), after(operationId))));
    }

    /** With what is left in the counter, unless that is enough and only the others of this plan take it. */
    private void refuse(Call.Slot slot, Take request) {
        long from = Plan.isEnough(base, terms, request) ? next : base.value().next();
        refused.add(Plan.Settled.refused(slot, exhausted(id, terms.series(), from)));
    }

    private CounterState after(String operationId) {
        return base.value()
                .rounds(rounds, now)
                .allocated(
                        Objects.requireNonNullElse(firstTaken, next), next, allocated, dates.last(), operationId, now);
    }

    /** A mismatch is left for the ledger to refuse: before this write is won the key has no numbers. */
    private void replay(Call.Slot slot, Take request, Allocation earlier) {
        if (request.mismatch(id.period(), earlier).isEmpty()) {
            shares.add(Plan.Settled.share(slot, earlier.asReplay()));
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

    /** Of a cycle a whole round is left for each request, but no more. */
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
