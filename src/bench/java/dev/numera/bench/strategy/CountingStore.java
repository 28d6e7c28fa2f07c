package dev.numera.bench.strategy;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import java.util.Collection;
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
    public void open(CounterId id, FixedFields fixed, CounterState first) {
        traffic.table(1);
        traffic.table(2);
        store.open(id, fixed, first);
    }

    @Override
    public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
        traffic.table(ledger.isEmpty() ? 1 : 2 + ledger.allocations().size());
        WriteResult result = store.replace(id, version, state, ledger);
        if (result instanceof WriteResult.Lost) {
            traffic.conflict();
        }
        return result;
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys) {
        keys.forEach(key -> traffic.table(1));
        return store.find(sequence, keys);
    }
}
