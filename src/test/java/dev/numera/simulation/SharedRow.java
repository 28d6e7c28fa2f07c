package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.model.CounterId;
import dev.numera.core.retry.WriteResult;
import java.util.Optional;

/** Makes all counters of a process use one row for their peer requests. */
final class SharedRow extends WrongStore {
    private String first;

    SharedRow(CounterTable store) {
        super(store);
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        return super.find(id, shared(process));
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        return super.post(
                id,
                new PeerRequest(
                        shared(request.counterName()),
                        request.id(),
                        request.requests(),
                        request.state(),
                        request.allocations(),
                        request.openedAt(),
                        request.after(),
                        request.version()));
    }

    private String shared(String process) {
        if (first == null) {
            first = process;
        }
        return first;
    }
}
