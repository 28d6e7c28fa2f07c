package dev.numera.counter;

import dev.numera.execution.Clock;
import dev.numera.execution.Deadline;
import dev.numera.execution.StoreFailure;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Outcome;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What allocations would meet at a counter now: the plan of a write that is never sent. Nothing is kept for anybody, so
 * the call that comes first gets the numbers. Immutable and thread-safe.
 *
 * @param store is only read
 */
public record Foresight(CounterStore store, Clock time) {
    /**
     * What the first of the requests would be answered, in their order: as many as one write reaches. Blocks for one
     * look into the ledger.
     *
     * @param counter as it was read; empty where there is none yet
     * @param terms read before the counter was
     * @param requests each with a key, at most {@link KeyedWrite#MAX_KEYS}
     * @throws StoreFailure there is no trustworthy answer, or not in time
     */
    public List<Answer<Outcome>> foresee(
            CounterId id,
            Optional<Versioned<CounterState>> counter,
            Sequence terms,
            List<Request.Allocate> requests,
            Deadline deadline) {
        Call call = new Call(requests, time.nanoTime(), deadline.nanos());
        List<Call.Slot> slots = call.openSlots();
        KeyMatch.answer(
                slots, id.period(), store.find(id.sequence(), KeyMatch.keys(slots), deadline.left()), row -> false);
        Versioned<CounterState> base = counter.orElseGet(
                () -> new Versioned<>(CounterState.first(terms.next(Optional.empty()), time.now()), null));
        Plan plan = Plan.of(id, base, terms, "", call.openSlots(), List.of(), time.now());
        plan.shares().forEach(share -> share.slot().answer(share.outcome()));
        plan.refused().forEach(refusal -> refusal.slot().refuse(refusal.problem()));
        List<Answer<Outcome>> answers = new ArrayList<>();
        slots.forEach(slot -> slot.answered().ifPresent(answers::add));
        return answers;
    }
}
