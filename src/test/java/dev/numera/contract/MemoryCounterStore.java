package dev.numera.contract;

import dev.numera.azure.DefinitionAsStored;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.Page;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.access.IndexEntry;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerPosition;
import dev.numera.sequences.ledger.LedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Definitions, counters and ledgers in memory. Writes are lost for the same reasons as in the table: each write changes
 * the version, and a write at another version or with existing ledger rows is refused. {@link CounterStoreContract}
 * tests both stores alike. Thread-safe.
 */
public final class MemoryCounterStore implements CounterTable, LedgerStore, DefinitionStore {
    public static final String TABLE = "numeracounters";
    private static final int MAX_OPERATIONS = 100;
    private static final int MAX_PROPERTY_UNITS = 32_768;
    private static final long ASKS_KEPT_NANOS = Duration.ofMinutes(1).toNanos();

    private static final Comparator<Change.Position> BY_TIME =
            Comparator.comparing(Change.Position::at).thenComparing(Change.Position::id);

    /** The rows of one sequence. */
    private static final class Partition {
        private Sequence definition;
        private final Map<String, Versioned<CounterState>> counters = new HashMap<>();
        private final Map<String, Allocation> byKey = new HashMap<>();
        private final Map<String, TreeMap<Long, LedgerRow>> byNumber = new HashMap<>();
        /** The peer requests, in the order of row keys as in the table. */
        private final NavigableMap<String, PeerRequest> takes = new TreeMap<>();

        private final Map<String, Long> touchedNanos = new HashMap<>();
        private final Map<String, Long> keysWrittenNanos = new HashMap<>();
        private final TreeMap<Change.Position, Change> changes = new TreeMap<>(BY_TIME);

        Partition copy() {
            Partition copy = new Partition();
            copy.definition = definition;
            copy.counters.putAll(counters);
            copy.byKey.putAll(byKey);
            copy.takes.putAll(takes);
            copy.touchedNanos.putAll(touchedNanos);
            copy.keysWrittenNanos.putAll(keysWrittenNanos);
            copy.changes.putAll(changes);
            byNumber.forEach((period, rows) -> copy.byNumber.put(period, new TreeMap<>(rows)));
            return copy;
        }
    }

    /** A copy of the tables at one time. */
    public static final class Backup {
        private final Map<SequenceName, Partition> partitions = new HashMap<>();
        private final Map<SequenceName, Versioned<String>> index;

        private Backup(Map<SequenceName, Partition> original, Map<SequenceName, Versioned<String>> index) {
            original.forEach((name, partition) -> partitions.put(name, partition.copy()));
            this.index = new HashMap<>(index);
        }
    }

    private Map<SequenceName, Partition> partitions = new HashMap<>();
    private Map<SequenceName, Versioned<String>> index = new HashMap<>();
    /**
     * The sequences that a list may show as unused. They only make lists read the definitions, so no backup contains
     * them.
     */
    private final Set<SequenceName> notedAsUnused = new HashSet<>();

    private MaintenanceMark maintenanceMark = MaintenanceMark.NONE;
    private long writes;
    private final LongSupplier nanos;

    /** Creates a store with a stopped clock, in which no row grows old. */
    public MemoryCounterStore() {
        this(() -> 0);
    }

    /**
     * Creates an empty store.
     *
     * @param nanos the clock
     */
    public MemoryCounterStore(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Returns a store whose table was deleted. */
    public static MemoryCounterStore withoutTable() {
        MemoryCounterStore store = new MemoryCounterStore();
        store.partitions = null;
        return store;
    }

    @Override
    public synchronized Optional<Versioned<CounterState>> read(CounterId id) {
        return Optional.ofNullable(partition(id.sequence()).counters.get(id.period()));
    }

    @Override
    public synchronized WriteResult write(Transaction write) {
        requireWithinLimits(write);
        Partition partition = partition(write.id().sequence());
        Versioned<CounterState> present = partition.counters.get(write.id().period());
        if (present != null && write.createsCounter()) {
            return WriteResult.Refused.EXISTS;
        }
        boolean isDefinitionChanged = write.marksDefinition()
                && (partition.definition == null || !write.definitionVersion().equals(partition.definition.version()));
        if (isDefinitionChanged
                || !write.createsCounter()
                        && (present == null || !present.version().equals(write.version()))) {
            return WriteResult.Refused.CHANGED;
        }
        boolean isAskChanged = write.answered().stream().anyMatch(posted -> !find(write.id(), posted.counterName())
                .map(PeerRequest::version)
                .equals(Optional.of(posted.version())));
        if (isAskChanged) {
            return WriteResult.Refused.CHANGED;
        }
        Map<Long, LedgerRow> numbers =
                partition.byNumber.computeIfAbsent(write.id().period(), period -> new TreeMap<>());
        Optional<WriteResult> refusal = refusal(partition, numbers, write);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        write.removed().forEach(removed -> numbers.remove(removed.highest()));
        write.rows().forEach(row -> numbers.put(row.highest(), stored(row, nextVersion())));
        write.allocations().forEach(allocation -> putByKey(partition, write, allocation));
        write.answered().forEach(answered -> answer(write.id(), answered));
        if (write.change() != null) {
            partition.changes.put(write.change().position(), write.change());
        }
        if (write.marksDefinition()) {
            partition.definition = marked(partition.definition, nextVersion());
        }
        Versioned<CounterState> written = new Versioned<>(write.state(), nextVersion());
        partition.counters.put(write.id().period(), written);
        return new WriteResult.Won(written.version());
    }

    /** Executes the moves on a copy of the partition, which replaces the partition if all moves win. */
    @Override
    public synchronized WriteResult writeTogether(List<Transaction> moves) {
        SequenceName name = moves.get(0).id().sequence();
        int operations =
                1 + moves.stream().mapToInt(move -> 2 + move.rows().size()).sum();
        if (operations > MAX_OPERATIONS) {
            throw new StoreFailure("400: a transaction with " + operations + " operations.", false, null);
        }
        Partition before = partition(name).copy();
        Sequence definition = before.definition;
        for (Transaction move : moves) {
            // Each move marks the definition at the version that the transaction started from.
            partition(name).definition = definition;
            WriteResult result = write(move);
            if (!(result instanceof WriteResult.Won)) {
                partitions.put(name, before);
                return result;
            }
        }
        return new WriteResult.Won(partition(name).definition.version());
    }

    @Override
    public synchronized RestoredCounters restored(SequenceName name, String firstPeriod, int limit) {
        TreeMap<String, Versioned<CounterState>> counters =
                new TreeMap<>(new TreeMap<>(partition(name).counters).tailMap(firstPeriod));
        TreeMap<String, Result<Versioned<CounterState>>> restored = new TreeMap<>();
        counters.entrySet().stream()
                .limit(limit)
                .filter(counter -> counter.getValue().value().restoredFrom() != null)
                .forEach(counter -> restored.put(counter.getKey(), Result.of(counter.getValue())));
        String next = counters.keySet().stream().skip(limit).findFirst().orElse(null);
        return new RestoredCounters(Math.min(limit, counters.size()), restored, next);
    }

    private static Optional<WriteResult> refusal(Partition partition, Map<Long, LedgerRow> numbers, Transaction write) {
        boolean isChanged = Stream.concat(write.rows().stream(), write.removed().stream())
                .filter(row -> row.version() != null)
                .anyMatch(row -> !numbers.containsKey(row.highest())
                        || !numbers.get(row.highest()).version().equals(row.version()));
        if (isChanged) {
            return Optional.of(WriteResult.Refused.CHANGED);
        }
        boolean isThere = write.rows().stream()
                        .anyMatch(row -> row.version() == null && numbers.containsKey(row.highest()))
                || write.allocations().stream().anyMatch(allocation -> partition.byKey.containsKey(allocation.key()));
        return isThere ? Optional.of(WriteResult.Refused.EXISTS) : Optional.empty();
    }

    private void putByKey(Partition partition, Transaction write, Allocation allocated) {
        partition.byKey.put(
                allocated.key(), Allocations.by(stored(allocated), write.state().operationId()));
        partition.keysWrittenNanos.put(allocated.key(), nanos.getAsLong());
    }

    @Override
    public synchronized Map<String, Result<Allocation>> find(
            SequenceName sequence, Collection<String> keys, Duration atMost) {
        Map<String, Allocation> byKey = partition(sequence).byKey;
        Map<String, Result<Allocation>> found = new HashMap<>();
        keys.stream().filter(byKey::containsKey).forEach(key -> found.put(key, Result.of(byKey.get(key))));
        return found;
    }

    @Override
    public synchronized List<PeerRequest> open(CounterId id) {
        return partition(id.sequence()).takes.entrySet().stream()
                .filter(row -> row.getKey().startsWith(id.period() + ":"))
                .filter(row -> !isOld(partition(id.sequence()), row.getKey()))
                .map(Map.Entry::getValue)
                .filter(posted -> posted.state() == PeerRequest.State.OPEN)
                .toList();
    }

    @Override
    public synchronized boolean removeOld(CounterId id) {
        Partition partition = partition(id.sequence());
        partition.takes.keySet().removeIf(row -> row.startsWith(id.period() + ":") && isOld(partition, row));
        return partition.takes.keySet().stream().anyMatch(row -> row.startsWith(id.period() + ":"));
    }

    private boolean isOld(Partition partition, String askRow) {
        return nanos.getAsLong() - partition.touchedNanos.getOrDefault(askRow, 0L) > ASKS_KEPT_NANOS;
    }

    /** Removes all peer requests of a counter, in any state, as if they were a minute old. */
    public synchronized void removePeerRequests(CounterId id) {
        partition(id.sequence()).takes.clear();
    }

    @Override
    public synchronized Optional<PeerRequest> find(CounterId id, String process) {
        return Optional.ofNullable(partition(id.sequence()).takes.get(askRow(id, process)));
    }

    @Override
    public synchronized WriteResult post(CounterId id, PeerRequest request) {
        String version = request.version();
        if (version == null && request.state() == PeerRequest.State.OPEN) {
            throw new IllegalArgumentException("The row of " + request.counterName() + " would be inserted open.");
        }
        PeerRequest present = partition(id.sequence()).takes.get(askRow(id, request.counterName()));
        if (present != null && version == null) {
            return WriteResult.Refused.EXISTS;
        }
        if (version != null && (present == null || !present.version().equals(version))) {
            return WriteResult.Refused.CHANGED;
        }
        PeerRequest posted = aged(request).at(nextVersion());
        put(id, posted);
        return new WriteResult.Won(posted.version());
    }

    private PeerRequest aged(PeerRequest request) {
        if (request.state() != PeerRequest.State.OPEN) {
            return request;
        }
        Instant now = Instant.EPOCH.plusNanos(nanos.getAsLong());
        Instant first = request.openedAt();
        return request.openedAt(first == null || first.isAfter(now) ? now : first);
    }

    private static String askRow(CounterId id, String process) {
        return id.period() + ":" + process;
    }

    /** Answers a peer request without a condition, which no instance does alone. */
    public synchronized void answer(CounterId id, PeerRequest answered) {
        put(id, answered.at(nextVersion()));
    }

    private void put(CounterId id, PeerRequest posted) {
        Partition partition = partition(id.sequence());
        String row = askRow(id, posted.counterName());
        partition.takes.put(row, posted);
        partition.touchedNanos.put(row, nanos.getAsLong());
    }

    @Override
    public Optional<Versioned<Allocation>> findKey(SequenceName name, String key) {
        return Optional.ofNullable(find(name, List.of(key), Duration.ZERO).get(key))
                .map(Result::orThrow)
                .map(allocation -> new Versioned<>(allocation, version(allocation)));
    }

    @Override
    public synchronized WriteResult setStatus(SequenceName name, Versioned<Allocation> present, Status status) {
        Map<String, Allocation> byKey = partition(name).byKey;
        Allocation stored = byKey.get(present.value().key());
        if (stored == null || !version(stored).equals(present.version())) {
            return WriteResult.Refused.CHANGED;
        }
        byKey.put(stored.key(), Allocations.by(stored.with(status), stored.operationId()));
        partition(name).keysWrittenNanos.put(stored.key(), nanos.getAsLong());
        return new WriteResult.Won(status.toString());
    }

    private static String version(Allocation stored) {
        return stored.status().toString();
    }

    @Override
    public synchronized List<Allocation> marked(CounterId id, long from, long to) {
        return marked(id.sequence())
                .filter(allocation -> allocation.period().equals(id.period())
                        && allocation.highest() >= from
                        && allocation.highest() <= to)
                .map(allocation -> Allocations.by(allocation, null))
                .toList();
    }

    @Override
    public synchronized List<Allocation> markedFrom(
            SequenceName name, LedgerPosition position, Status.Kind status, int limit) {
        return marked(name)
                .filter(allocation -> allocation.status().kind() == status)
                .filter(allocation -> position == null
                        || allocation.period().compareTo(position.period()) > 0
                        || allocation.period().equals(position.period()) && allocation.highest() >= position.number())
                .limit(limit)
                .map(allocation -> Allocations.by(allocation, null))
                .toList();
    }

    private Stream<Allocation> marked(SequenceName name) {
        return partition(name).byKey.values().stream()
                .filter(allocation -> allocation.status().isMarked())
                .sorted(Comparator.comparing(Allocation::period).thenComparing(Allocation::highest));
    }

    @Override
    public synchronized List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        TreeMap<Long, LedgerRow> rows = partition(id.sequence()).byNumber.getOrDefault(id.period(), new TreeMap<>());
        return rows.tailMap(number, true).values().stream().limit(limit).toList();
    }

    @Override
    public synchronized List<LedgerRow> rows(CounterId id, long from, long to, int limit) {
        return rowsFrom(id, from, limit).stream()
                .filter(row -> row.highest() <= to)
                .toList();
    }

    @Override
    public List<Allocation> marked(CounterId id, long from, long to, Status.Kind status, int limit) {
        return marked(id, from, to).stream()
                .filter(allocation -> allocation.status().kind() == status)
                .limit(limit)
                .toList();
    }

    @Override
    public Instant time(SequenceName name) {
        return Instant.EPOCH.plusNanos(nanos.getAsLong());
    }

    @Override
    public synchronized Page<Allocation, String> writtenSince(
            SequenceName name, Instant since, LedgerFilter wanted, String continuation) {
        Partition partition = partition(name);
        return new Page<>(
                partition.byKey.values().stream()
                        .filter(allocation -> wanted.hasDate(allocation.date()))
                        .filter(allocation -> !Instant.EPOCH
                                .plusNanos(partition.keysWrittenNanos.get(allocation.key()))
                                .isBefore(since))
                        .toList(),
                null);
    }

    @Override
    public synchronized Optional<Sequence> find(SequenceName name) {
        return Optional.ofNullable(partition(name).definition);
    }

    @Override
    public synchronized WriteResult insert(Sequence definition, Change change) {
        if (partition(definition.name()).definition != null) {
            return WriteResult.Refused.EXISTS;
        }
        partition(definition.name()).changes.put(change.position(), change);
        return put(definition);
    }

    @Override
    public synchronized WriteResult replace(Sequence definition, Change change) {
        WriteResult result = replace(definition);
        if (result instanceof WriteResult.Won) {
            partition(definition.name()).changes.put(change.position(), change);
        }
        return result;
    }

    @Override
    public synchronized WriteResult keep(SequenceName name, Change change) {
        return partition(name).changes.putIfAbsent(change.position(), change) == null
                ? new WriteResult.Won(null)
                : WriteResult.Refused.EXISTS;
    }

    @Override
    public synchronized WriteResult setKeyForm(Sequence definition) {
        Sequence present = partition(definition.name()).definition;
        return present != null && present.version().equals(definition.version())
                ? put(present.withKeyForm(definition.keyForm()))
                : WriteResult.Refused.CHANGED;
    }

    @Override
    public synchronized WriteResult mark(SequenceName name, String version) {
        Sequence present = partition(name).definition;
        if (present == null || !present.version().equals(version)) {
            return WriteResult.Refused.CHANGED;
        }
        return put(present.inUse());
    }

    private WriteResult replace(Sequence definition) {
        Sequence present = partition(definition.name()).definition;
        return present != null && present.version().equals(definition.version())
                ? put(definition)
                : WriteResult.Refused.CHANGED;
    }

    @Override
    public synchronized Page<Result<Change>, Change.Position> changesFrom(
            SequenceName name, Change.Position first, int limit) {
        return changes(name, first, limit, change -> true);
    }

    @Override
    public synchronized Page<Result<Change>, Change.Position> closingsFrom(
            SequenceName name, Change.Position first, int limit) {
        return changes(name, first, limit, change -> change.kind() == Change.Kind.CLOSED);
    }

    private Page<Result<Change>, Change.Position> changes(
            SequenceName name, Change.Position first, int limit, Predicate<Change> wanted) {
        TreeMap<Change.Position, Change> changes = partition(name).changes;
        List<Change> found = (first == null ? changes : changes.tailMap(first))
                .values().stream().filter(wanted).toList();
        return new Page<>(
                found.stream().limit(limit).map(Result::of).toList(),
                found.size() > limit ? found.get(limit).position() : null);
    }

    /** Writes a definition without a condition, which no instance does. */
    public synchronized WriteResult put(Sequence definition) {
        Sequence stored = DefinitionAsStored.of(definition, nextVersion());
        partition(definition.name()).definition = stored;
        return new WriteResult.Won(stored.version());
    }

    @Override
    public synchronized SortedSet<String> periods(SequenceName name) {
        return new TreeSet<>(partition(name).counters.keySet());
    }

    @Override
    public synchronized SortedSet<String> restored(SequenceName name) {
        SortedSet<String> periods = new TreeSet<>();
        counters(name).forEach((period, state) -> {
            if (state.restoredFrom() != null) {
                periods.add(period);
            }
        });
        return periods;
    }

    /** Returns the states of all counters by period. */
    public synchronized NavigableMap<String, CounterState> counters(SequenceName name) {
        NavigableMap<String, CounterState> states = new TreeMap<>();
        partition(name).counters.forEach((period, counter) -> states.put(period, counter.value()));
        return states;
    }

    @Override
    public synchronized NavigableMap<String, Result<CounterState>> counters(
            SequenceName name, String firstPeriod, int limit) {
        NavigableMap<String, Result<CounterState>> states = new TreeMap<>();
        counters(name).tailMap(firstPeriod).entrySet().stream()
                .limit(limit)
                .forEach(counter -> states.put(counter.getKey(), Result.of(counter.getValue())));
        return states;
    }

    @Override
    public synchronized Optional<Versioned<String>> indexed(SequenceName name) {
        return Optional.ofNullable(index.get(name));
    }

    @Override
    public synchronized WriteResult index(SequenceName name, String definitionId) {
        if (index.containsKey(name)) {
            return WriteResult.Refused.EXISTS;
        }
        return reindexed(name, definitionId);
    }

    @Override
    public synchronized WriteResult reindex(SequenceName name, String definitionId, String version) {
        boolean isThere = index.containsKey(name) && index.get(name).version().equals(version);
        return isThere ? reindexed(name, definitionId) : WriteResult.Refused.CHANGED;
    }

    private WriteResult reindexed(SequenceName name, String definitionId) {
        Versioned<String> row = new Versioned<>(definitionId, nextVersion());
        index.put(name, row);
        return new WriteResult.Won(row.version());
    }

    @Override
    public synchronized WriteResult noteUnused(SequenceName name, String version) {
        if (!index.containsKey(name) || !index.get(name).version().equals(version)) {
            return WriteResult.Refused.CHANGED;
        }
        notedAsUnused.add(name);
        return reindexed(name, index.get(name).value());
    }

    @Override
    public synchronized Page<IndexEntry, String> list(String scope, int limit, String continuation) {
        Comparator<SequenceName> inOrder =
                Comparator.comparing(SequenceName::scope).thenComparing(SequenceName::name);
        List<IndexEntry> listed = index.keySet().stream()
                .filter(name -> scope == null || scope.equals(name.scope()))
                .filter(name -> continuation == null || inOrder.compare(name, positionOf(continuation)) > 0)
                .sorted(inOrder)
                .limit(limit)
                .map(name -> IndexEntry.listed(name.scope(), name.name(), notedAsUnused.contains(name)))
                .toList();
        return new Page<>(
                listed, listed.size() < limit ? null : listed.get(limit - 1).position());
    }

    private static SequenceName positionOf(String continuation) {
        IndexEntry last = IndexEntry.at(continuation);
        return new SequenceName(last.scope(), last.name());
    }

    @Override
    public synchronized MaintenanceMark serviceMark() {
        return maintenanceMark;
    }

    @Override
    public synchronized MaintenanceMark markService(UnaryOperator<MaintenanceMark> change) {
        maintenanceMark = change.apply(maintenanceMark);
        return maintenanceMark;
    }

    @Override
    public synchronized Page<Result<SequenceName>, String> walk(int limit, String continuation) {
        return new Page<>(
                partitions.entrySet().stream()
                        .filter(entry -> entry.getValue().definition != null)
                        .map(entry -> Result.of(entry.getKey()))
                        .toList(),
                null);
    }

    /** Returns all rows of a sequence except its changes, as text that differs whenever a row differs. */
    public synchronized String contents(SequenceName name) {
        Partition partition = partition(name);
        return partition.definition + " " + new TreeMap<>(partition.counters) + new TreeMap<>(partition.byKey)
                + new TreeMap<>(partition.byNumber) + partition.takes;
    }

    public synchronized Backup backup() {
        return new Backup(partitions, index);
    }

    /** Restores an old copy: the same rows, with new versions. */
    public synchronized void restore(Backup backup) {
        Backup copy = new Backup(backup.partitions, backup.index);
        partitions = copy.partitions;
        index = copy.index;
        for (Partition partition : partitions.values()) {
            partition.counters.replaceAll((period, counter) -> new Versioned<>(counter.value(), nextVersion()));
            partition.definition = partition.definition == null ? null : partition.definition.at(nextVersion());
            partition.takes.replaceAll((row, posted) -> posted.at(nextVersion()));
        }
    }

    /** Removes a single counter, which no program of this project does. */
    public synchronized void remove(CounterId id) {
        partition(id.sequence()).counters.remove(id.period());
    }

    /** Removes the rows of keys, which no program of this project does. */
    public synchronized void removeKeys(SequenceName name, Collection<String> keys) {
        partition(name).byKey.keySet().removeAll(keys);
    }

    /** Removes a definition but leaves its counters and its index row. */
    public synchronized void loseDefinition(SequenceName name) {
        partition(name).definition = null;
    }

    /** Rewrites the number rows that an import passed over to the form of earlier releases, which lacks the import. */
    public synchronized void forgetPassingImports(CounterId id) {
        partition(id.sequence())
                .byNumber
                .getOrDefault(id.period(), new TreeMap<>())
                .replaceAll((highest, row) -> new LedgerRow(
                        row.first(), row.last(), row.allocatedAt(), row.allocations(), row.note(), row.version()));
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

    private static Sequence marked(Sequence definition, String version) {
        return definition.inUse().at(version);
    }

    private static LedgerRow stored(LedgerRow row, String version) {
        List<Allocation> entries = row.allocations().stream()
                .map(allocation -> withoutText(stored(allocation)))
                .toList();
        return new LedgerRow(row.first(), row.last(), row.allocatedAt(), entries, row.note(), row.passing(), version);
    }

    private static Allocation stored(Allocation allocated) {
        return Allocations.requestedBy(
                Allocations.of(
                        allocated.key(),
                        allocated.first(),
                        allocated.last(),
                        allocated.count(),
                        allocated.period(),
                        allocated.date(),
                        allocated.firstText(),
                        allocated.formatRevision(),
                        allocated.allocatedAt(),
                        true,
                        allocated.status(),
                        allocated.importId()),
                allocated.actor());
    }

    private static Allocation withoutText(Allocation allocated) {
        return Allocations.requestedBy(
                Allocations.of(
                        allocated.key(),
                        allocated.first(),
                        allocated.last(),
                        allocated.count(),
                        allocated.period(),
                        allocated.date(),
                        null,
                        allocated.formatRevision(),
                        allocated.allocatedAt(),
                        true,
                        Status.SIMPLY_ISSUED,
                        allocated.importId()),
                allocated.actor());
    }

    private static void requireWithinLimits(Transaction write) {
        List<Allocation> added = write.allocations();
        long distinct = added.stream().map(Allocation::key).distinct().count();
        int units = added.stream().mapToInt(MemoryCounterStore::jsonUnits).sum();
        int operations = 1
                + write.answered().size()
                + (write.marksDefinition() ? 1 : 0)
                + write.rows().size()
                + write.removed().size()
                + (write.change() == null ? 0 : 1)
                + added.size()
                + (int) added.stream()
                        .filter(allocation -> allocation.status().isMarked())
                        .count();
        if (distinct < added.size() || operations > MAX_OPERATIONS || units > MAX_PROPERTY_UNITS) {
            throw new StoreFailure(
                    "400: a transaction of table " + TABLE + " with " + operations + " operations, " + distinct + " of "
                            + added.size() + " keys different, and " + units + " units in its row.",
                    false,
                    null);
        }
    }

    private static int jsonUnits(Allocation entry) {
        long escaped =
                entry.key().chars().filter(unit -> unit == '"' || unit == '\\').count();
        String numbers =
                "[\"\"," + entry.first() + "," + entry.last() + "," + entry.count() + ",\"" + entry.date() + "\"],";
        return numbers.length() + entry.key().length() + (int) escaped;
    }
}
