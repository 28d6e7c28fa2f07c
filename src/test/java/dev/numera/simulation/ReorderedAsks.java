package dev.numera.simulation;

import dev.numera.counter.CounterStore;
import dev.numera.counter.InstanceAsk;
import dev.numera.execution.WriteResult;
import dev.numera.model.CounterId;
import dev.numera.model.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Posts the requests of an ask in the opposite order, and sorts the answers for their process. */
final class ReorderedAsks extends WrongStore {
    private final Map<String, List<Request.Allocate>> posted = new HashMap<>();

    ReorderedAsks(CounterStore store) {
        super(store);
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        posted.put(ask.id(), reversed(ask.requests()));
        InstanceAsk reordered = new InstanceAsk(ask.process(), ask.id(), reversed(ask.requests()));
        return super.post(id, reordered, state, version);
    }

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return super.findAsk(id, process).map(this::sorted);
    }

    /** As its process posted it; what it answered itself is in that order already. */
    private InstanceAsk.Posted sorted(InstanceAsk.Posted row) {
        InstanceAsk ask = row.ask();
        if (!ask.requests().equals(posted.get(ask.id()))) {
            return row;
        }
        InstanceAsk.Answer answer = row.answer();
        return new InstanceAsk.Posted(
                new InstanceAsk(ask.process(), ask.id(), reversed(ask.requests())),
                row.state(),
                answer == null ? null : new InstanceAsk.Answer(reversed(answer.allocations()), answer.after()),
                row.version());
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }
}
