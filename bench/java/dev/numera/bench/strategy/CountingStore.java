package dev.numera.bench.strategy;

import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.InstanceAsk;
import dev.numera.execution.WriteResult;
import dev.numera.model.Allocation;
import dev.numera.model.CounterId;
import dev.numera.model.LedgerRow;
import dev.numera.model.SequenceName;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the requests of a counter store by what its contract says of each call. */
final class CountingStore implements CounterStore {
    private final CounterStore store;
    private final Traffic traffic;

    CountingStore(CounterStore store, Traffic traffic) {
        this.store = store;
        this.traffic = traffic;
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        traffic.table(1);
        return store.read(id);
    }

    @Override
    public WriteResult write(CounterWrite write) {
        int ledgerRows =
                write.ledger().isEmpty() ? 0 : 1 + write.ledger().allocations().size();
        traffic.table(1 + ledgerRows + write.answered().size() + (write.marksDefinition() ? 1 : 0));
        WriteResult result = store.write(write);
        if (result instanceof WriteResult.Lost) {
            traffic.conflict();
        }
        return result;
    }

    @Override
    public Map<String, Answer<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        keys.forEach(key -> traffic.table(1));
        return store.find(sequence, keys, atMost);
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        traffic.table(1);
        return store.rowsFrom(id, number, limit);
    }

    @Override
    public List<InstanceAsk.Posted> openAsks(CounterId id) {
        traffic.table(1);
        return store.openAsks(id);
    }

    @Override
    public void removeOldAsks(CounterId id) {
        traffic.table(1);
        store.removeOldAsks(id);
    }

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        traffic.table(1);
        return store.findAsk(id, process);
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        traffic.table(1);
        return store.post(id, ask, state, version);
    }
}
