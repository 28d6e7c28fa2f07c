package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.retry.WriteResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Posts requests in the opposite order, and sorts the answers for their process. */
final class ReorderedPeerRequests extends WrongStore {
    private final Map<String, List<NumberRequest>> posted = new HashMap<>();

    ReorderedPeerRequests(CounterTable store) {
        super(store);
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        posted.put(request.id(), reversed(request.requests()));
        return super.post(id, with(request, request.allocations()));
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        return super.find(id, process).map(this::sorted);
    }

    /**
     * Returns the row in the order in which its process posted it. A row that the process answered itself has this
     * order already.
     */
    private PeerRequest sorted(PeerRequest row) {
        if (!row.requests().equals(posted.get(row.id()))) {
            return row;
        }
        return with(row, reversed(row.allocations()));
    }

    private static PeerRequest with(PeerRequest row, List<Allocation> allocations) {
        return new PeerRequest(
                row.counterName(),
                row.id(),
                reversed(row.requests()),
                row.state(),
                allocations,
                row.openedAt(),
                row.after(),
                row.version());
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }
}
