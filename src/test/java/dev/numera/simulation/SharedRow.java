package dev.numera.simulation;

import dev.numera.counter.CounterStore;
import dev.numera.counter.InstanceAsk;
import dev.numera.execution.WriteResult;
import dev.numera.model.CounterId;
import java.util.Optional;

/** Makes one row for the asks of all counters of a process. */
final class SharedRow extends WrongStore {
    private String first;

    SharedRow(CounterStore store) {
        super(store);
    }

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return super.findAsk(id, shared(process));
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        return super.post(id, new InstanceAsk(shared(ask.process()), ask.id(), ask.requests()), state, version);
    }

    private String shared(String process) {
        if (first == null) {
            first = process;
        }
        return first;
    }
}
