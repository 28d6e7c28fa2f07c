package dev.numera.bench.cached;

import dev.numera.contract.StoreWithoutAsks;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.problem.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counters in memory, without ledgers: what blocks cost when reserving them costs next to nothing. Thread-safe. */
final class MemoryStore implements StoreWithoutAsks {
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
    public Map<String, Answer<Outcome.Allocation>> find(
            SequenceName sequence, Collection<String> keys, Duration atMost) {
        return Map.of();
    }

    /** Lost ones too. */
    long writes() {
        return writes.get();
    }
}
