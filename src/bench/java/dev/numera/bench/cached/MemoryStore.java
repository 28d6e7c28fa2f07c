package dev.numera.bench.cached;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counters in memory, without ledgers: what blocks cost when reserving them costs next to nothing. Thread-safe. */
final class MemoryStore implements CounterStore {
    private final Map<CounterId, Versioned> counters = new ConcurrentHashMap<>();
    private final AtomicLong writes = new AtomicLong();

    @Override
    public Optional<Versioned> read(CounterId id) {
        return Optional.ofNullable(counters.get(id));
    }

    @Override
    public void open(CounterId id, FixedFields fixed, CounterState first) {
        counters.putIfAbsent(id, new Versioned(first, "0"));
    }

    @Override
    public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
        Versioned written = new Versioned(state, "" + writes.incrementAndGet());
        Versioned now = counters.computeIfPresent(id, (same, before) -> before.version().equals(version) ? written : before);
        return now == written ? new WriteResult.Won(written.version()) : new WriteResult.Lost(WriteResult.Reason.CHANGED);
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys) {
        return Map.of();
    }

    /** Lost ones too. */
    long writes() {
        return writes.get();
    }
}
