package dev.numera.counter;

import dev.numera.execution.Clock;
import dev.numera.execution.Deadline;
import dev.numera.execution.StoreFailure;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.DateLimits;
import dev.numera.model.Outcome;
import dev.numera.model.OutdatedException;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.Take;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
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
     * @param terms read before the counter was
     * @param requests each with a key, at most {@link Transaction#MAX_KEYS}
     * @param limits for their dates
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    public static List<Answer<Outcome>> preview(
            CounterEnvironment around,
            CounterId id,
            Optional<Versioned<CounterState>> counter,
            Sequence terms,
            List<Take> requests,
            DateLimits limits,
            Deadline deadline) {
        Clock time = around.time();
        List<Call.Slot> slots = new Call(requests, time.nanoTime(), deadline).openSlots();
        Map<String, Answer<Allocation>> ledger = around.store().find(id.sequence(), Call.keys(slots), deadline.left());
        Call.answerKnown(slots, id.period(), ledger, row -> false);
        Versioned<CounterState> base = base(counter, terms, time);
        List<Call.Slot> open = slots.stream().filter(Call.Slot::isOpen).toList();
        Plan plan = NumberPlan.of(id, base, terms, "", open, List.of(), limits, time.now());
        plan.shares().forEach(Plan.Settled::settle);
        plan.refused().forEach(Plan.Settled::settle);
        return slots.stream().flatMap(slot -> slot.answered().stream()).toList();
    }

    /**
     * What imported numbers of one period would be answered, each after those before it, however many there are. Blocks
     * for looks into the ledger, at most one for each number and key.
     *
     * @param around whose store is only read
     * @param counter as it was read; empty where there is none yet
     * @param terms read before the counter was
     * @param requests at least one, of one import
     * @throws OutdatedException the numbers are meant by another definition than the present one
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    public static List<Answer<Outcome>> dryRun(
            CounterEnvironment around,
            CounterId id,
            Optional<Versioned<CounterState>> counter,
            Sequence terms,
            List<Request.Import> requests,
            Deadline deadline) {
        return new ImportPlan(
                        base(counter, terms, around.time()),
                        terms,
                        requests.get(0).change(),
                        around.store().find(id.sequence(), ImportPlan.keys(requests), deadline.left()),
                        ImportPlan.rows(around.store(), id, requests),
                        around.time().now())
                .dryRun(requests);
    }

    private static Versioned<CounterState> base(Optional<Versioned<CounterState>> counter, Sequence terms, Clock time) {
        return counter.orElseGet(
                () -> new Versioned<>(CounterState.first(terms.next(Optional.empty()), time.now()), null));
    }
}
