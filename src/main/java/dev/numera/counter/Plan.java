package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What one write would do: the state after it, the ledger's new rows, and who gets what when it is won. Computed from
 * one state, without side effects; nothing of it is told to anyone before the write is won.
 *
 * @param base the state and version that it was computed from
 * @param terms what the definition said
 * @param refused requests that take no part in the write
 */
record Plan(
        Versioned base,
        CounterState after,
        Outcome.LedgerAddition ledger,
        List<Share> shares,
        List<Refusal> refused,
        Terms terms) {
    /** What a request gets when the write is won. */
    record Share(Call.Slot slot, Outcome outcome) {}

    /** A request that the state does not allow. A keyed one may still be a replay, which the ledger tells. */
    record Refusal(Call.Slot slot, ProblemException problem) {}

    boolean isEmpty() {
        return shares.isEmpty();
    }

    Plan withoutLedger() {
        return new Plan(base, after, Outcome.LedgerAddition.NONE, shares, refused, terms);
    }

    /** Whether the definition is marked as in use in the same transaction. */
    boolean marksDefinition() {
        return marksDefinition(base, terms);
    }

    /** Whoever opens a counter does it under the very version of the definition that it was computed by. */
    static boolean marksDefinition(Versioned base, Terms terms) {
        return base.isAbsent() || !terms.isInUse();
    }

    /** Whether no write of this plan can win any more, seeing that the counter was read after these terms. */
    boolean isOvertaken(Versioned read, Terms termsBefore) {
        return !Objects.equals(base.version(), read.version())
                || marksDefinition() && !Objects.equals(terms.version(), termsBefore.version());
    }

    CounterWrite write(CounterId id) {
        return new CounterWrite(id, base.version(), after, ledger, marksDefinition() ? terms.version() : null);
    }

    static Plan of(CounterId id, Versioned base, Terms terms, String operationId, List<Call.Slot> slots, Instant now) {
        if (slots.isEmpty()) {
            return new Plan(base, base.state(), Outcome.LedgerAddition.NONE, List.of(), List.of(), terms);
        }
        Request first = slots.get(0).request;
        if (first instanceof Request.Skip skip) {
            long next = base.state().next();
            long beyond = next
                    + Math.min(skip.numbers(), terms.series().left(next))
                            * terms.series().increment();
            return move(base, terms, operationId, slots.get(0), beyond, now);
        }
        if (terms.isRetired()) {
            return refuseAll(base, slots, retired(id), terms);
        }
        if (first instanceof Request.Advance advance) {
            return advance(id, base, terms, operationId, slots.get(0), advance.nextAtLeast(), now);
        }
        return new Allocating(id, base, terms, now).plan(operationId, slots);
    }

    private static Plan advance(
            CounterId id,
            Versioned base,
            Terms terms,
            String operationId,
            Call.Slot slot,
            long nextAtLeast,
            Instant now) {
        Series series = terms.series();
        long previous = base.state().next();
        if (!series.contains(nextAtLeast)) {
            return refuseAll(base, List.of(slot), exhausted(id, series, previous), terms);
        }
        long next = series.atOrBeyond(previous, nextAtLeast);
        if (next != previous && !series.contains(next)) {
            return refuseAll(base, List.of(slot), exhausted(id, series, previous), terms);
        }
        return move(base, terms, operationId, slot, next, now);
    }

    private static Plan move(Versioned base, Terms terms, String operationId, Call.Slot slot, long next, Instant now) {
        Outcome.Advanced advanced = new Outcome.Advanced(base.state().next(), next);
        boolean leavesRow = terms.fixed().guarantee() == Guarantee.GAPLESS && next != advanced.previousNext();
        Outcome.LedgerAddition ledger =
                leavesRow ? new Outcome.LedgerAddition(List.of(), advanced) : Outcome.LedgerAddition.NONE;
        CounterState after = base.state().inNewEpoch(next, operationId, now);
        return new Plan(base, after, ledger, List.of(new Share(slot, advanced)), List.of(), terms);
    }

    private static Plan refuseAll(Versioned base, List<Call.Slot> slots, ProblemException problem, Terms terms) {
        return new Plan(
                base,
                base.state(),
                Outcome.LedgerAddition.NONE,
                List.of(),
                slots.stream().map(slot -> new Refusal(slot, problem)).toList(),
                terms);
    }

    private static ProblemException retired(CounterId id) {
        return new ProblemException(
                ProblemType.RETIRED,
                "The sequence " + id.sequence()
                        + " is retired. Its owner can revive it with PUT and If-None-Match: *.");
    }

    private static ProblemException exhausted(CounterId id, Series series, long next) {
        long left = series.left(next);
        return new ProblemException(
                ProblemType.EXHAUSTED,
                "The sequence " + id + " has " + left + " numbers left between " + series.minValue() + " and "
                        + series.maxValue() + ". Its owner can widen the range.",
                Map.of("left", left));
    }

    /** Hands the numbers of one write out, request after request. */
    private static final class Allocating {
        private final CounterId id;
        private final Versioned base;
        private final Terms terms;
        private final Instant now;
        private final List<Share> shares = new ArrayList<>();
        private final List<Refusal> refused = new ArrayList<>();
        private final Map<String, Outcome.Allocation> keyed = new HashMap<>();
        private final List<Outcome.Allocation> ledger = new ArrayList<>();
        private long next;
        private long allocated;

        Allocating(CounterId id, Versioned base, Terms terms, Instant now) {
            this.id = id;
            this.base = base;
            this.terms = terms;
            this.now = now;
            this.next = base.state().next();
            this.allocated = base.state().allocated();
        }

        Plan plan(String operationId, List<Call.Slot> slots) {
            int maxKeys = marksDefinition(base, terms) ? Group.MAX_KEYS - 1 : Group.MAX_KEYS;
            for (Call.Slot slot : slots) {
                if (ledger.size() == maxKeys) {
                    // Whoever is left has the next write, in the same order.
                    break;
                }
                if (slot.request instanceof Request.Allocate request) {
                    allocate(slot, request);
                } else if (slot.request instanceof Request.Reserve request) {
                    reserve(slot, request, operationId);
                }
            }
            return new Plan(base, after(operationId), new Outcome.LedgerAddition(ledger, null), shares, refused, terms);
        }

        private void allocate(Call.Slot slot, Request.Allocate request) {
            Outcome.Allocation earlier = request.key() == null ? null : keyed.get(request.key());
            if (earlier != null) {
                replay(slot, request, earlier);
                return;
            }
            if (request.refusal() != null) {
                refused.add(new Refusal(slot, request.refusal()));
                return;
            }
            OptionalLong first = terms.series().first(next, request.count());
            if (first.isEmpty()) {
                refused.add(new Refusal(slot, exhausted(id, terms.series(), next)));
                return;
            }
            Outcome.Allocation allocation = allocation(request, first.getAsLong());
            shares.add(new Share(slot, allocation));
            next = allocation.last() + terms.series().increment();
            allocated += request.count();
            if (request.key() != null) {
                keyed.put(request.key(), allocation);
                ledger.add(allocation);
            }
        }

        private void reserve(Call.Slot slot, Request.Reserve request, String operationId) {
            Series series = terms.series();
            long left = series.left(series.first(next, 1).orElse(next));
            if (left == 0) {
                refused.add(new Refusal(slot, exhausted(id, series, next)));
                return;
            }
            long first = series.first(next, 1).getAsLong();
            int count = (int) Math.min(left, request.size());
            next = series.last(first, count) + series.increment();
            allocated += count;
            shares.add(new Share(slot, new Outcome.Reserved(first, count, series.increment(), after(operationId))));
        }

        private CounterState after(String operationId) {
            return new CounterState(next, allocated, base.state().epoch(), operationId, now);
        }

        /** A mismatch is left for the ledger to refuse: before this write is won the key stands for nothing. */
        private void replay(Call.Slot slot, Request.Allocate request, Outcome.Allocation earlier) {
            if (KeyMatch.mismatch(request, id.period(), earlier).isEmpty()) {
                shares.add(new Share(slot, earlier.asReplay()));
            }
        }

        private Outcome.Allocation allocation(Request.Allocate request, long first) {
            return new Outcome.Allocation(
                    request.key(),
                    first,
                    terms.series().last(first, request.count()),
                    request.count(),
                    id.period(),
                    request.date(),
                    terms.format().text(request.date(), first),
                    terms.format().revision(),
                    now,
                    false);
        }
    }
}
