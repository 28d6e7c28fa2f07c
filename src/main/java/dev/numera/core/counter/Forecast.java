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
     * Returns the answers that these allocations would get, in their order, up to as many as one write holds. Computes
     * the plan of a write and never sends it. Reserves nothing, so another call may get the numbers first. Blocks for
     * one search of the ledger.
     *
     * @param around the environment of the counter; its store is only read
     * @param counter the counter from the last read; empty if there is none yet
     * @param definition the definition, read before the counter
     * @param requests each with a key, at most {@link Transaction#MAX_KEYS}
     * @param limits the limits for the dates of the requests
     * @throws StoreFailure if there is no trustworthy answer, or not in time
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
     * Returns the answers that any count of imported numbers of one period would get, each as if the numbers before it
     * had been imported. Blocks for searches of the ledger, at most one for each number and key.
     *
     * @param around the environment of the counter; its store is only read
     * @param counter the counter from the last read; empty if there is none yet
     * @param definition the definition, read before the counter
     * @param requests at least one, all of one import
     * @throws DefinitionChangedException if the numbers fit another definition than the present one
     * @throws StoreFailure if there is no trustworthy answer, or not in time
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
