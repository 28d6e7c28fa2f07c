package dev.numera.core.counter;

import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
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

    /**
     * Plans the write for a counter after a restore: the counter skips numbers, is opened, or is accepted as restored.
     * If the counter keeps its next number, the answer is a move from that number to itself.
     */
    private static Plan skip(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            WaitingCall.Slot slot,
            CounterRequest.Skip skip,
            Instant now) {
        CounterState state = base.value();
        long next = state.next();
        boolean isTooFew = skip.kind() == CounterRequest.Skip.Kind.BY_MARGIN
                && definition.series().left(next) / 2 < skip.numbers();
        Change.Move unmoved = new Change.Move(id.period(), next, next);
        if (skip.kind() == CounterRequest.Skip.Kind.OPENING && !base.isAbsent()
                || isTooFew && state.restoredFrom() != null) {
            return Plan.nothing(base, List.of(Plan.Settled.share(slot, unmoved)), List.of(), List.of(), definition);
        }
        if (skip.kind() == CounterRequest.Skip.Kind.ACCEPTING) {
            CounterState accepted = state.restored(null).inNewEpoch(next, operationId, now);
            return move(id, base, accepted, definition, slot, unmoved, skip.note());
        }
        CounterState unknown = state.perhapsAllocated();
        if (isTooFew) {
            CounterState marked = unknown.restored(next).inNewEpoch(next, operationId, now);
            return move(id, base, marked, definition, slot, unmoved, skip.note());
        }
        Change.Move skipped =
                new Change.Move(id.period(), next, definition.series().beyond(next, skip.numbers()));
        CounterState after = unknown.inNewEpoch(skipped.next(), operationId, now)
                .restored(skip.numbers() == 0 ? state.restoredFrom() : null);
        return move(id, base, after, definition, slot, skipped, skip.note());
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
        CounterState after = known.inNewEpoch(next, operationId, now).advanced(definition.restoreMargin(), series);
        return move(id, base, after, definition, slot, moved, requested.note());
    }

    /** Whether a counter that allocated numbers is gone, so that its numbers are unknown. */
    private static boolean isLost(Versioned<CounterState> base, Sequence definition) {
        return base.isAbsent() && definition.isInUse() && definition.fixed().isNeverReset();
    }

    /**
     * Plans the write of a move. The passed-over range reaches from the previous next number to the last number before
     * the new one. Example: an advance from 5 to 10 passes over 5 to 9.
     */
    private static Plan move(
            CounterId id,
            Versioned<CounterState> base,
            CounterState after,
            Sequence definition,
            WaitingCall.Slot slot,
            Change.Move move,
            ChangeNote note) {
        boolean leavesRow = definition.fixed().guarantee() == Guarantee.GAPLESS && !move.isNone();
        long last = move.lastPassed(definition.series().increment());
        LedgerRow row = LedgerRow.passed(move.previousNext(), last, after.changedAt(), note, null);
        Change change = Change.advanced(move, note, after);
        List<LedgerRow> rows = leavesRow ? List.of(row) : List.of();
        Transaction write = Transaction.on(id, base, definition, after, rows, List.of(), change, List.of());
        return new Plan(base, definition, write, slot, move);
    }
}
