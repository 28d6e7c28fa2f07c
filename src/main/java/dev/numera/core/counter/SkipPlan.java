package dev.numera.core.counter;

import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The write for a counter after a restore: the counter skips numbers, is opened, or is accepted as restored. The plan
 * depends on one state of the counter only; computing it has no side effects. Immutable.
 *
 * @param move from the counter's next number to the one after the write; to itself if the counter keeps its number
 * @param write null if there is nothing to write
 */
public record SkipPlan(Change.Move move, @Nullable Transaction write) {
    /**
     * Plans the write.
     *
     * @param base the counter as read after the definition
     * @param operationId the id of this write, which no other counter's write has
     */
    public static SkipPlan of(
            CounterId id,
            Versioned<CounterState> base,
            Sequence definition,
            String operationId,
            CounterRequest.Skip skip,
            Instant now) {
        CounterState state = base.value();
        long next = state.next();
        boolean isByMargin =
                skip.kind() == CounterRequest.Skip.Kind.BY_MARGIN || skip.kind() == CounterRequest.Skip.Kind.RESTORED;
        boolean isTooFew = isByMargin && definition.series().left(next) / 2 < skip.numbers();
        Change.Move unmoved = new Change.Move(id.period(), next, next);
        boolean isOpening = skip.kind() == CounterRequest.Skip.Kind.OPENING;
        long numbers = isOpening ? definition.restoreMargin() : skip.numbers();
        if (isOpening && (!base.isAbsent() || numbers == 0)
                || skip.kind() == CounterRequest.Skip.Kind.RESTORED && state.restoredFrom() == null
                || isTooFew && state.restoredFrom() != null) {
            return new SkipPlan(unmoved, null);
        }
        if (skip.kind() == CounterRequest.Skip.Kind.ACCEPTING) {
            CounterState accepted = state.restored(null).inNewEpoch(next, operationId, now);
            return new SkipPlan(unmoved, Transaction.moving(id, base, accepted, definition, unmoved, skip.note()));
        }
        CounterState unknown = state.perhapsAllocated();
        if (isTooFew) {
            CounterState marked = unknown.restored(next).inNewEpoch(next, operationId, now);
            return new SkipPlan(unmoved, Transaction.moving(id, base, marked, definition, unmoved, skip.note()));
        }
        Change.Move skipped =
                new Change.Move(id.period(), next, definition.series().beyond(next, numbers));
        CounterState after = unknown.inNewEpoch(skipped.next(), operationId, now)
                .restored(numbers == 0 ? state.restoredFrom() : null);
        return new SkipPlan(skipped, Transaction.moving(id, base, after, definition, skipped, skip.note()));
    }
}
