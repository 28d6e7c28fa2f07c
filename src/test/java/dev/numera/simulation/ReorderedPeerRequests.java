package dev.numera.simulation;

import dev.numera.contract.CounterTable;
import dev.numera.counter.PeerRequest;
import dev.numera.execution.WriteResult;
import dev.numera.model.CounterId;
import dev.numera.model.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Posts requests in the opposite order, and sorts the answers for their process. */
final class ReorderedPeerRequests extends WrongStore {
    private final Map<String, List<Request.Allocate>> posted = new HashMap<>();

    ReorderedPeerRequests(CounterTable store) {
        super(store);
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        posted.put(request.id(), reversed(request.requests()));
        return super.post(id, with(request, request.answer()));
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        return super.find(id, process).map(this::sorted);
    }

    /** As its process posted it; what it answered itself is in that order already. */
    private PeerRequest sorted(PeerRequest row) {
        if (!row.requests().equals(posted.get(row.id()))) {
            return row;
        }
        PeerRequest.Answer answer = row.answer();
        return with(
                row, answer == null ? null : new PeerRequest.Answer(reversed(answer.allocations()), answer.after()));
    }

    private static PeerRequest with(PeerRequest row, PeerRequest.Answer answer) {
        return new PeerRequest(row.process(), row.id(), reversed(row.requests()), row.state(), answer, row.version());
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }
}
