package dev.numera.bench.strategy;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import java.time.Duration;
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
    public WriteResult write(CounterWrite write) {
        int ledgerRows =
                write.ledger().isEmpty() ? 0 : 1 + write.ledger().allocations().size();
        traffic.table(1 + ledgerRows + (write.marksDefinition() ? 1 : 0));
        WriteResult result = store.write(write);
        if (result instanceof WriteResult.Lost) {
            traffic.conflict();
        }
        return result;
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        keys.forEach(key -> traffic.table(1));
        return store.find(sequence, keys, atMost);
    }
}
