package dev.numera.bench.cached;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.InstanceAsk;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
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
    public WriteResult write(CounterWrite write) {
        Versioned written = new Versioned(write.state(), "" + writes.incrementAndGet());
        Versioned now =
                counters.compute(write.id(), (same, before) -> isExpected(before, write.version()) ? written : before);
        return now == written
                ? new WriteResult.Won(written.version())
                : new WriteResult.Lost(WriteResult.Reason.CHANGED);
    }

    private static boolean isExpected(Versioned present, String version) {
        return present == null ? version == null : present.version().equals(version);
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        return Map.of();
    }

    @Override
    public List<InstanceAsk.Posted> openAsks(CounterId id) {
        return List.of();
    }

    @Override
    public void removeOldAsks(CounterId id) {}

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return Optional.empty();
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        return new WriteResult.Lost(WriteResult.Reason.CHANGED);
    }

    /** Lost ones too. */
    long writes() {
        return writes.get();
    }
}
