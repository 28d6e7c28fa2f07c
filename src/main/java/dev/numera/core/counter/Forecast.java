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
     * Returns the answers that the leading allocations would get now, in their order, as many as one write holds.
     * Computes the plan of a write that is never sent. Reserves nothing, so the next call gets the numbers. Blocks for
     * one look into the ledger.
     *
     * @param around the environment, whose store is only read
     * @param counter the counter that was read; empty if none exists yet
     * @param definition the definition, read before the counter
     * @param requests requests with keys, at most {@link WriteLimits#KEYS}
     * @param limits the limits for the requested dates
     * @throws StoreFailure no trustworthy answer arrived in time
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
     * Returns the answers that imported numbers of one period would get, each after those before it, in any quantity.
     * Blocks for at most one ledger request for each number and key.
     *
     * @param around the environment, whose store is only read
     * @param counter the counter that was read; empty if none exists yet
     * @param definition the definition, read before the counter
     * @param requests at least one request, all of one import
     * @throws DefinitionChangedException the numbers are meant for another definition than the present one
     * @throws StoreFailure no trustworthy answer arrived in time
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
                        ImportPlan.rows(around.store(), id, requests),
                        around.time().now())
                .dryRun(requests, around.store().find(id.sequence(), ImportPlan.keys(requests), deadline.left()));
    }

    private static Versioned<CounterState> base(
            Optional<Versioned<CounterState>> counter, Sequence definition, Clock time) {
        return counter.orElseGet(
                () -> new Versioned<>(CounterState.first(definition.next(Optional.empty()), time.now()), null));
    }
}
