package dev.numera.core.counter;

import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Versioned;
import java.time.Instant;
import java.util.List;

/**
 * Plans a write that moves the counter, or settles its state after a restore, without allocating numbers. The plan
 * depends on one state of the counter only; computing it has no side effects.
 */
final class MovePlan {
    private MovePlan() {}

    /** @param slot a slot with a request to advance, to skip numbers or to start a new epoch */
    static Plan of(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            WaitingCall.Slot slot,
            Instant now) {
        if (slot.request instanceof CounterRequest.NewEpoch) {
            return newEpoch(id, base, definition, operationId, slot, now);
        }
        if (slot.request instanceof CounterRequest.Skip skip) {
            return skip(id, base, definition, operationId, slot, skip, now);
        }
        return definition.isRetired()
                ? Plan.refuseAll(base, List.of(slot), definition.refusalAsRetired(), definition)
                : advance(id, base, definition, operationId, slot, (CounterRequest.Advance) slot.request, now);
    }

    /**
     * Plans a new epoch. A counter that does not exist needs none, because it will be created under the present version
     * of the definition.
     */
    private static Plan newEpoch(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            WaitingCall.Slot slot,
            Instant now) {
        long next = base.value().next();
        Change.Move unmoved = new Change.Move(id.period(), next, next);
        return base.isAbsent()
                ? Plan.nothing(base, List.of(Plan.Settled.share(slot, unmoved)), List.of(), List.of(), definition)
                : new Plan(
                        base,
                        definition,
                        Transaction.on(
                                id,
                                base,
                                definition,
                                base.value().inNewEpoch(next, operationId, now),
                                List.of(),
                                List.of(),
                                null,
                                List.of()),
                        slot,
                        unmoved);
    }

    private static Plan skip(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            WaitingCall.Slot slot,
            CounterRequest.Skip skip,
            Instant now) {
        SkipPlan plan = SkipPlan.of(id, base, definition, operationId, skip, now);
        return plan.write() == null
                ? Plan.nothing(base, List.of(Plan.Settled.share(slot, plan.move())), List.of(), List.of(), definition)
                : new Plan(base, definition, plan.write(), slot, plan.move());
    }

    private static Plan advance(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            WaitingCall.Slot slot,
            CounterRequest.Advance requested,
            Instant now) {
        Series series = definition.series();
        long previous = base.value().next();
        long next = series.atOrBeyond(previous, requested.nextAtLeast());
        if (next != previous && !series.contains(next)) {
            String why = "has no number at or beyond " + requested.nextAtLeast();
            return Plan.refuseAll(
                    base, List.of(slot), NumberPlan.exhausted(id, series, why, series.left(previous)), definition);
        }
        Change.Move moved = new Change.Move(id.period(), previous, next);
        CounterState known = isLost(base, definition) ? base.value().perhapsAllocated() : base.value();
        CounterState after = known.inNewEpoch(next, operationId, now).advanced(definition.latestMargin(), series);
        Transaction write = Transaction.moving(id, base, after, definition, moved, requested.note());
        return new Plan(base, definition, write, slot, moved);
    }

    /** Whether a counter that allocated numbers is gone, so that its numbers are unknown. */
    private static boolean isLost(Versioned<CounterState> base, Sequence definition) {
        return base.isAbsent() && definition.isInUse() && definition.fixed().isNeverReset();
    }
}
