package dev.numera.sequence;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.InstanceAsk;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.LedgerRow;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.definition.Change;
import dev.numera.definition.DefinitionStore;
import dev.numera.definition.StoredDefinition;
import dev.numera.problem.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The way to a table in memory that loses requests and answers, delivers writes late or twice, and refuses what it has
 * done. For one thread: whatever is late arrives before a later request.
 */
final class UnreliableTable implements CounterStore, DefinitionStore, LedgerStore {
    private static final StoreFailure NO_ANSWER = new StoreFailure("No answer.", true, null);

    private final MemoryCounterStore table;
    private final Random random;
    private final Consumer<SequenceName> afterWrite;
    private final List<Runnable> underWay = new ArrayList<>();
    private double faults;

    /** @param afterWrite learns of each sequence whose rows may have changed just now */
    UnreliableTable(MemoryCounterStore table, Random random, Consumer<SequenceName> afterWrite) {
        this.table = table;
        this.random = random;
        this.afterWrite = afterWrite;
    }

    void setFaults(double probability) {
        faults = probability;
    }

    /** Whatever is under way arrives. */
    void settle() {
        while (!underWay.isEmpty()) {
            arrive();
        }
    }

    private void arrive() {
        underWay.remove(random.nextInt(underWay.size())).run();
    }

    private <T> T read(Supplier<T> request) {
        arriveSometimes();
        if (random.nextDouble() < faults / 3) {
            throw NO_ANSWER;
        }
        return request.get();
    }

    private WriteResult write(SequenceName name, Supplier<WriteResult> request) {
        arriveSometimes();
        Supplier<WriteResult> watched = () -> {
            WriteResult result = request.get();
            afterWrite.accept(name);
            return result;
        };
        if (random.nextDouble() >= faults) {
            return watched.get();
        }
        switch (random.nextInt(6)) {
            case 0 -> throw NO_ANSWER;
            case 1 -> {}
            case 2 -> watched.get();
            case 3 -> underWay.add(watched::get);
            case 4 -> {
                watched.get();
                return watched.get();
            }
            default -> {
                underWay.add(watched::get);
                return watched.get();
            }
        }
        return new WriteResult.Unknown(NO_ANSWER);
    }

    private void arriveSometimes() {
        if (!underWay.isEmpty() && random.nextInt(4) == 0) {
            arrive();
        }
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        return read(() -> table.read(id));
    }

    @Override
    public WriteResult write(CounterWrite write) {
        return write(write.id().sequence(), () -> table.write(write));
    }

    @Override
    public Map<String, Answer<Outcome.Allocation>> find(
            SequenceName sequence, Collection<String> keys, Duration atMost) {
        return read(() -> table.find(sequence, keys, atMost));
    }

    @Override
    public List<InstanceAsk.Posted> openAsks(CounterId id) {
        return read(() -> table.openAsks(id));
    }

    @Override
    public void removeOldAsks(CounterId id) {
        table.removeOldAsks(id);
    }

    @Override
    public Optional<InstanceAsk.Posted> findAsk(CounterId id, String process) {
        return read(() -> table.findAsk(id, process));
    }

    @Override
    public WriteResult post(CounterId id, InstanceAsk ask, InstanceAsk.State state, String version) {
        return write(id.sequence(), () -> table.post(id, ask, state, version));
    }

    @Override
    public Optional<StoredDefinition> find(SequenceName name) {
        return read(() -> table.find(name));
    }

    @Override
    public WriteResult insert(StoredDefinition definition, Change change) {
        return write(definition.name(), () -> table.insert(definition, change));
    }

    @Override
    public WriteResult replace(StoredDefinition definition, Change change) {
        return write(definition.name(), () -> table.replace(definition, change));
    }

    @Override
    public WriteResult mark(SequenceName name, String version) {
        return write(name, () -> table.mark(name, version));
    }

    @Override
    public Map<String, CounterState> counters(SequenceName name) {
        return read(() -> table.counters(name));
    }

    @Override
    public NavigableMap<String, CounterState> counters(SequenceName name, String firstPeriod, int limit) {
        return read(() -> table.counters(name, firstPeriod, limit));
    }

    @Override
    public Optional<IndexRow> indexed(SequenceName name) {
        return read(() -> table.indexed(name));
    }

    @Override
    public WriteResult index(SequenceName name, String definitionId) {
        return write(name, () -> table.index(name, definitionId));
    }

    @Override
    public WriteResult reindex(SequenceName name, String definitionId, String version) {
        return write(name, () -> table.reindex(name, definitionId, version));
    }

    @Override
    public IndexPage list(String scope, int limit, String continuation) {
        return read(() -> table.list(scope, limit, continuation));
    }

    @Override
    public List<Change> changesFrom(SequenceName name, Change.Position first, int limit) {
        return read(() -> table.changesFrom(name, first, limit));
    }

    @Override
    public Page walk(int limit, String continuation) {
        return read(() -> table.walk(limit, continuation));
    }

    @Override
    public Optional<Keyed> findKey(SequenceName name, String key) {
        return read(() -> table.findKey(name, key));
    }

    @Override
    public WriteResult say(SequenceName name, Keyed present, KeyStatus status) {
        return write(name, () -> table.say(name, present, status));
    }

    @Override
    public List<Outcome.Allocation> marked(CounterId id, long from, long to) {
        return read(() -> table.marked(id, from, to));
    }

    @Override
    public List<Outcome.Allocation> markedFrom(
            SequenceName name, LedgerPosition position, KeyStatus.Status status, int limit) {
        return read(() -> table.markedFrom(name, position, status, limit));
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return read(() -> table.rowsFrom(id, number, limit));
    }
}
