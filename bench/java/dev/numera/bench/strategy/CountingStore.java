package dev.numera.bench.strategy;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.WriteResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the requests to a counter store, as many for each call as the store's contract states. */
final class CountingStore implements CounterStore, PeerRequests {
    private final CounterStore store;
    private final PeerRequests peers;
    private final Traffic traffic;

    CountingStore(CounterStore store, PeerRequests peers, Traffic traffic) {
        this.store = store;
        this.peers = peers;
        this.traffic = traffic;
    }

    @Override
    public Optional<Versioned<CounterState>> read(CounterId id) {
        traffic.table(1);
        return store.read(id);
    }

    @Override
    public WriteResult write(Transaction write) {
        int ledgerRows = write.rows().size() + write.allocations().size();
        traffic.table(1 + ledgerRows + write.answered().size() + (write.marksDefinition() ? 1 : 0));
        WriteResult result = store.write(write);
        if (result instanceof WriteResult.Refused) {
            traffic.conflict();
        }
        return result;
    }

    @Override
    public Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        keys.forEach(key -> traffic.table(1));
        return store.find(sequence, keys, atMost);
    }

    @Override
    public WriteResult writeTogether(List<Transaction> moves) {
        throw new UnsupportedOperationException("Only a recovery moves counters together.");
    }

    @Override
    public RestoredCounters restored(SequenceName sequence, String firstPeriod, int limit) {
        throw new UnsupportedOperationException("Only a recovery reads restored counters.");
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        traffic.table(1);
        return store.rowsFrom(id, number, limit);
    }

    @Override
    public List<PeerRequest> open(CounterId id) {
        traffic.table(1);
        return peers.open(id);
    }

    @Override
    public boolean removeOld(CounterId id) {
        traffic.table(1);
        return peers.removeOld(id);
    }

    @Override
    public Optional<PeerRequest> find(CounterId id, String process) {
        traffic.table(1);
        return peers.find(id, process);
    }

    @Override
    public WriteResult post(CounterId id, PeerRequest request) {
        traffic.table(1);
        return peers.post(id, request);
    }
}
