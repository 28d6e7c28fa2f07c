package dev.numera.core.counter;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterOutcome;
import dev.numera.core.model.CounterRequest;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DateLimits;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers that a counter would return at this moment, without a write. Thread-safe. */
public final class Forecast {
    private Forecast() {}

    /**
     * What the first of these allocations would be answered, in their order, as many as one write reaches: by the plan
     * of a write that is never sent. Nothing is kept for any caller, so the call that comes first gets the numbers.
     * Blocks for one look into the ledger.
     *
     * @param around whose store is only read
     * @param counter as it was read; empty where there is none yet
     * @param definition read before the counter was
     * @param requests each with a key, at most {@link Transaction#MAX_KEYS}
     * @param limits for their dates
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    public static List<Result<CounterOutcome>> preview(
            CounterEnvironment around,
            CounterId id,
            Optional<Versioned<CounterState>> counter,
            Sequence definition,
            List<NumberRequest> requests,
            DateLimits limits,
            Deadline deadline) {
        Clock time = around.time();
        List<WaitingCall.Slot> slots = new WaitingCall(requests, time.nanoTime(), deadline).openSlots();
        Map<String, Result<Allocation>> ledger =
                around.store().find(id.sequence(), WaitingCall.keys(slots), deadline.left());
        WaitingCall.answerKnown(slots, id.period(), ledger, row -> false);
        Versioned<CounterState> base = base(counter, definition, time);
        List<WaitingCall.Slot> open =
                slots.stream().filter(WaitingCall.Slot::isOpen).toList();
        NumberPlan.preview(id, base, definition, open, limits, time.now()).forEach(Plan.Settled::answer);
        return slots.stream().flatMap(slot -> slot.answered().stream()).toList();
    }

    /**
     * What imported numbers of one period would be answered, each after those before it, however many there are. Blocks
     * for looks into the ledger, at most one for each number and key.
     *
     * @param around whose store is only read
     * @param counter as it was read; empty where there is none yet
     * @param definition read before the counter was
     * @param requests at least one, of one import
     * @throws DefinitionChangedException the numbers are meant by another definition than the present one
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    public static List<Result<CounterOutcome>> dryRun(
            CounterEnvironment around,
            CounterId id,
            Optional<Versioned<CounterState>> counter,
            Sequence definition,
            List<CounterRequest.Import> requests,
            Deadline deadline) {
        return new ImportPlan(
                        base(counter, definition, around.time()),
                        definition,
                        requests.get(0).change(),
                        around.store().find(id.sequence(), ImportPlan.keys(requests), deadline.left()),
                        ImportPlan.rows(around.store(), id, requests),
                        around.time().now())
                .dryRun(requests);
    }

    private static Versioned<CounterState> base(
            Optional<Versioned<CounterState>> counter, Sequence definition, Clock time) {
        return counter.orElseGet(
                () -> new Versioned<>(CounterState.first(definition.next(Optional.empty()), time.now()), null));
    }
}
