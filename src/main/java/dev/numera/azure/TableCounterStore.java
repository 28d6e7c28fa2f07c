package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.RestoredCounters;
import dev.numera.core.counter.Transaction;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.ledger.LedgerFilter;
import dev.numera.sequences.ledger.LedgerPosition;
import dev.numera.sequences.ledger.LedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counters and ledgers in the table {@value TableNames#COUNTERS}: one partition for each sequence.
 *
 * <p>Decision: {@code docs/decisions/a-sequence-is-one-partition.md}.
 */
final class TableCounterStore implements CounterStore, LedgerStore {
    private final Table counters;
    private final ParallelReads parallelReads;

    TableCounterStore(Table counters, ParallelReads reads) {
        this.counters = counters;
        this.parallelReads = reads;
    }

    @Override
    public Optional<Versioned<CounterState>> read(CounterId id) {
        return counters.find(RowKeys.partition(id.sequence()), RowKeys.counter(id))
                .map(TableCounterStore::versioned);
    }

    private static Versioned<CounterState> versioned(StoredRow row) {
        return new Versioned<>(CounterRows.state(row), row.version());
    }

    @Override
    public WriteResult write(Transaction write) {
        if (write.rows().isEmpty()
                && write.change() == null
                && write.answered().isEmpty()
                && !write.marksDefinition()) {
            return counters.change(CounterRows.write(write.id(), write.state()), write.version());
        }
        List<TableTransactionAction> actions = actions(write);
        if (write.marksDefinition()) {
            actions.add(1, marking(write));
        }
        return counters.transact(actions);
    }

    @Override
    public WriteResult writeTogether(List<Transaction> moves) {
        List<TableTransactionAction> actions = new ArrayList<>();
        actions.add(marking(moves.get(0)));
        moves.forEach(move -> actions.addAll(actions(move)));
        return counters.transact(actions);
    }

    private static TableTransactionAction marking(Transaction write) {
        return Table.changing(DefinitionRows.mark(write.id().sequence()), write.definitionVersion());
    }

    /** Returns the actions of a write, the counter first, without the mark of the definition. */
    private static List<TableTransactionAction> actions(Transaction write) {
        TableEntity counter = write.isMove()
                ? CounterRows.move(write.id(), write.state())
                : CounterRows.write(write.id(), write.state());
        List<TableTransactionAction> actions = new ArrayList<>();
        actions.add(write.createsCounter() ? Table.inserting(counter) : Table.changing(counter, write.version()));
        if (write.change() != null) {
            actions.add(keeping(write.id().sequence(), write.change()));
        }
        for (LedgerRow row : write.rows()) {
            actions.add(byNumber(write.id(), row));
            actions.addAll(byKey(write, row.allocations()));
        }
        for (LedgerRow removed : write.removed()) {
            actions.add(Table.deleting(LedgerRows.at(write.id(), removed.highest()), removed.version()));
        }
        for (PeerRequest answered : write.answered()) {
            actions.add(Table.changing(TablePeerRequests.answered(write.id(), answered), answered.requireVersion()));
        }
        return actions;
    }

    @Override
    public RestoredCounters restored(SequenceName sequence, String firstPeriod, int limit) {
        List<StoredRow> rows = counters.first(RowKeys.countersFrom(new CounterId(sequence, firstPeriod)), limit + 1);
        NavigableMap<String, Result<Versioned<CounterState>>> restored = new TreeMap<>();
        rows.stream()
                .limit(limit)
                .filter(CounterRows::isRestored)
                .forEach(row -> restored.put(RowKeys.period(row.row()), result(row, TableCounterStore::versioned)));
        return new RestoredCounters(
                Math.min(rows.size(), limit),
                restored,
                rows.size() > limit ? RowKeys.period(rows.get(limit).row()) : null);
    }

    /** Stores a change. All writes of an import put the same row, because any of them may be the first. */
    private static TableTransactionAction keeping(SequenceName sequence, Change change) {
        TableEntity row = ChangeRows.write(sequence, change);
        return change.kind() == Change.Kind.IMPORTED ? Table.putting(row) : Table.inserting(row);
    }

    /**
     * Writes a row in number order. Changing an advance keeps the properties that another program or a newer version
     * added to its row.
     */
    static TableTransactionAction byNumber(CounterId id, LedgerRow row) {
        TableEntity entity = LedgerRows.byNumber(id, row);
        if (row.version() == null) {
            return Table.inserting(entity);
        }
        return row.isAdvance() ? Table.changing(entity, row.version()) : Table.replacing(entity, row.version());
    }

    private static List<TableTransactionAction> byKey(Transaction write, List<Allocation> allocations) {
        String partition = RowKeys.partition(write.id().sequence());
        String operationId = write.state().operationId();
        List<TableTransactionAction> actions = new ArrayList<>();
        for (Allocation allocation : allocations) {
            actions.add(Table.inserting(LedgerRows.byKey(partition, allocation, operationId)));
            if (allocation.status().isMarked()) {
                actions.add(Table.inserting(LedgerRows.mark(partition, allocation)));
            }
        }
        return actions;
    }

    @Override
    public Map<String, Result<Allocation>> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        String partition = RowKeys.partition(sequence);
        List<Callable<Map.Entry<String, Optional<StoredRow>>>> reads = new ArrayList<>();
        keys.forEach(key -> reads.add(() -> Map.entry(key, counters.find(partition, RowKeys.key(key)))));
        Map<String, Result<Allocation>> found = new HashMap<>();
        for (Map.Entry<String, Optional<StoredRow>> read : parallelReads.all(reads, atMost)) {
            read.getValue().ifPresent(row -> found.put(read.getKey(), result(row, LedgerRows::fromKeyRow)));
        }
        return found;
    }

    /** Reads a row; the problem of an unreadable row replaces only its own entry. */
    private static <T> Result<T> result(StoredRow row, Function<StoredRow, T> read) {
        try {
            return Result.of(read.apply(row));
        } catch (StoreFailure e) {
            return Result.refused(e.ofOneRequest());
        }
    }

    @Override
    public Optional<Versioned<Allocation>> findKey(SequenceName name, String key) {
        return counters.find(RowKeys.partition(name), RowKeys.key(key))
                .map(row -> new Versioned<>(LedgerRows.fromKeyRow(row), row.version()));
    }

    @Override
    public WriteResult setStatus(SequenceName name, Versioned<Allocation> present, Status status) {
        String partition = RowKeys.partition(name);
        Allocation allocation = present.value().with(status);
        TableEntity mark = LedgerRows.mark(partition, allocation);
        List<TableTransactionAction> actions = new ArrayList<>();
        actions.add(Table.changing(LedgerRows.status(partition, allocation), present.version()));
        if (status.isMarked()) {
            actions.add(Table.putting(mark));
        } else if (present.value().status().isMarked()) {
            actions.add(Table.deleting(mark));
        }
        return counters.transact(actions);
    }

    @Override
    public List<Allocation> marked(CounterId id, long from, long to) {
        return allocations(counters.all(RowKeys.marks(id, from, to)));
    }

    @Override
    public List<Allocation> markedFrom(
            SequenceName name, @Nullable LedgerPosition position, Status.Kind status, int limit) {
        return allocations(counters.first(RowKeys.marksFrom(name, position) + " and " + LedgerRows.is(status), limit));
    }

    private static List<Allocation> allocations(List<StoredRow> rows) {
        return rows.stream().map(LedgerRows::fromMark).toList();
    }

    @Override
    public List<LedgerRow> rowsFrom(CounterId id, long number, int limit) {
        return counters.first(RowKeys.numbersFrom(id, number), limit).stream()
                .map(LedgerRows::fromNumberRow)
                .toList();
    }

    @Override
    public List<LedgerRow> rows(CounterId id, long from, long to, int limit) {
        return counters.first(RowKeys.numbers(id, from, to), limit).stream()
                .map(LedgerRows::fromNumberRow)
                .toList();
    }

    @Override
    public List<Allocation> marked(CounterId id, long from, long to, Status.Kind status, int limit) {
        return allocations(counters.first(RowKeys.marks(id, from, to) + " and " + LedgerRows.is(status), limit));
    }

    @Override
    public Instant time(SequenceName name) {
        return counters.list(RowKeys.rowIs(name, RowKeys.DEFINITION), 1, null).readAt();
    }

    @Override
    public Page<Allocation, String> writtenSince(
            SequenceName name, Instant since, LedgerFilter wanted, @Nullable String continuation) {
        String filter = RowKeys.keys(name) + " and " + Table.writtenSince(since) + LedgerRows.haveDates(wanted);
        Table.Page page = counters.list(filter, Table.MAX_PAGE_ROWS, continuation);
        return new Page<>(page.rows().stream().map(LedgerRows::fromKeyRow).toList(), page.continuation());
    }
}
