package dev.numera.contract;

import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.sequence.LedgerStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counters and ledgers in memory. It can lose, for the same reasons as the table: every write changes the version, a write at another
 * version is refused, and so is one whose ledger rows are there already. {@link CounterStoreContract} holds both to this. Thread-safe.
 */
public final class MemoryCounterStore implements CounterStore, LedgerStore {
    public static final String TABLE = "numeracounters";
    private static final int MAX_KEYS = 98;
    private static final int MAX_PROPERTY_UNITS = 32_768;

    /** The rows of one sequence. */
    private static final class Partition {
        private FixedFields pinned;
        private final Map<String, Versioned> counters = new HashMap<>();
        private final Map<String, Outcome.Allocation> byKey = new HashMap<>();
        private final Map<String, TreeMap<Long, Row>> byNumber = new HashMap<>();

        Partition copy() {
            Partition copy = new Partition();
            copy.pinned = pinned;
            copy.counters.putAll(counters);
            copy.byKey.putAll(byKey);
            byNumber.forEach((period, rows) -> copy.byNumber.put(period, new TreeMap<>(rows)));
            return copy;
        }
    }

    /** What the table held at some time. */
    public static final class Backup {
        private final Map<SequenceName, Partition> partitions = new HashMap<>();

        private Backup(Map<SequenceName, Partition> original) {
            original.forEach((name, partition) -> partitions.put(name, partition.copy()));
        }
    }

    private Map<SequenceName, Partition> partitions = new HashMap<>();
    private long writes;

    /** One without its table, as after somebody has removed it. */
    public static MemoryCounterStore withoutTable() {
        MemoryCounterStore store = new MemoryCounterStore();
        store.partitions = null;
        return store;
    }

    @Override
    public synchronized Optional<Versioned> read(CounterId id) {
        return Optional.ofNullable(partition(id.sequence()).counters.get(id.period()));
    }

    @Override
    public synchronized void open(CounterId id, FixedFields fixed, CounterState first) {
        Partition partition = partition(id.sequence());
        boolean agrees = partition.pinned == null || partition.pinned.equals(fixed);
        if (agrees && !partition.counters.containsKey(id.period())) {
            partition.pinned = fixed;
            partition.counters.put(id.period(), new Versioned(first, nextVersion()));
        }
    }

    @Override
    public synchronized WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
        requireWithinLimits(ledger);
        Partition partition = partition(id.sequence());
        Versioned present = partition.counters.get(id.period());
        if (present == null || !present.version().equals(version)) {
            return new WriteResult.Lost(WriteResult.Reason.CHANGED);
        }
        Map<Long, Row> numbers = partition.byNumber.computeIfAbsent(id.period(), period -> new TreeMap<>());
        boolean clashes = ledger.allocations().stream().anyMatch(allocation -> partition.byKey.containsKey(allocation.key()))
                || !ledger.isEmpty() && numbers.containsKey(highest(ledger));
        if (clashes) {
            return new WriteResult.Lost(WriteResult.Reason.EXISTS);
        }
        if (!ledger.isEmpty()) {
            numbers.put(highest(ledger), row(state, ledger));
            ledger.allocations().forEach(allocation -> partition.byKey.put(allocation.key(), stored(allocation)));
        }
        Versioned written = new Versioned(state, nextVersion());
        partition.counters.put(id.period(), written);
        return new WriteResult.Won(written.version());
    }

    @Override
    public synchronized Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys) {
        Map<String, Outcome.Allocation> found = new HashMap<>(partition(sequence).byKey);
        found.keySet().retainAll(keys);
        return found;
    }

    @Override
    public Optional<Outcome.Allocation> findKey(SequenceName name, String key) {
        return Optional.ofNullable(find(name, List.of(key)).get(key));
    }

    @Override
    public synchronized List<Row> rowsFrom(CounterId id, long number, int limit) {
        TreeMap<Long, Row> rows = partition(id.sequence()).byNumber.getOrDefault(id.period(), new TreeMap<>());
        return rows.tailMap(number, true).values().stream().limit(limit).toList();
    }

    public synchronized Backup backup() {
        return new Backup(partitions);
    }

    /** Puts an old copy back: the same rows, with new versions. */
    public synchronized void restore(Backup backup) {
        partitions = new Backup(backup.partitions).partitions;
        partitions.values().forEach(partition ->
                partition.counters.replaceAll((period, counter) -> new Versioned(counter.state(), nextVersion())));
    }

    /** Takes a single counter away, as no program of ours does. */
    public synchronized void remove(CounterId id) {
        partition(id.sequence()).counters.remove(id.period());
    }

    private Partition partition(SequenceName sequence) {
        if (partitions == null) {
            throw new StoreFailure("There is no table " + TABLE + ".", false, null);
        }
        return partitions.computeIfAbsent(sequence, name -> new Partition());
    }

    private String nextVersion() {
        writes++;
        return "version-" + writes;
    }

    private static long highest(Outcome.LedgerAddition ledger) {
        Row row = row(new CounterState(0, 0, 0, "", null), ledger);
        return Math.max(row.first(), row.last());
    }

    private static Row row(CounterState state, Outcome.LedgerAddition ledger) {
        Outcome.Advanced advanced = ledger.advanced();
        if (advanced != null) {
            long last = advanced.next() - Long.signum(advanced.next() - advanced.previousNext());
            return new Row(advanced.previousNext(), last, state.changedAt(), List.of());
        }
        List<Outcome.Allocation> entries = new ArrayList<>();
        ledger.allocations().forEach(allocation -> entries.add(withoutText(stored(allocation))));
        return new Row(entries.get(0).first(), entries.get(entries.size() - 1).last(), state.changedAt(), entries);
    }

    private static Outcome.Allocation stored(Outcome.Allocation given) {
        return new Outcome.Allocation(given.key(), given.first(), given.last(), given.count(), given.period(), given.date(),
                given.firstText(), given.formatRevision(), given.allocatedAt(), true);
    }

    private static Outcome.Allocation withoutText(Outcome.Allocation given) {
        return new Outcome.Allocation(given.key(), given.first(), given.last(), given.count(), given.period(), given.date(), null,
                given.formatRevision(), given.allocatedAt(), true);
    }

    private static void requireWithinLimits(Outcome.LedgerAddition ledger) {
        long distinct = ledger.allocations().stream().map(Outcome.Allocation::key).distinct().count();
        int units = ledger.allocations().stream().mapToInt(MemoryCounterStore::jsonUnits).sum();
        if (distinct < ledger.allocations().size() || distinct > MAX_KEYS || units > MAX_PROPERTY_UNITS) {
            throw new StoreFailure("400: a transaction of table " + TABLE + " with " + ledger.allocations().size() + " keys, " + distinct
                    + " of them different, and " + units + " units in its row.", false, null);
        }
    }

    private static int jsonUnits(Outcome.Allocation entry) {
        long escaped = entry.key().chars().filter(unit -> unit == '"' || unit == '\\').count();
        String numbers = "[\"\"," + entry.first() + "," + entry.last() + "," + entry.count() + ",\"" + entry.date() + "\"],";
        return numbers.length() + entry.key().length() + (int) escaped;
    }
}
