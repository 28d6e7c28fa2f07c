package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.sequence.LedgerStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Counters and ledgers in the table {@value TableNames#COUNTERS}: one partition for each sequence. */
public final class TableCounterStore implements CounterStore, LedgerStore {
    private final Table counters;
    private final ExecutorService lookUps;

    /** @param lookUps threads for the point reads of {@link #find}, as many as shall run at once */
    TableCounterStore(Table counters, ExecutorService lookUps) {
        this.counters = counters;
        this.lookUps = lookUps;
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        return counters.find(RowKeys.partition(id.sequence()), RowKeys.counter(id))
                .map(row -> new Versioned(state(row), Table.version(row)));
    }

    @Override
    public void open(CounterId id, FixedFields fixed, CounterState first) {
        String partition = RowKeys.partition(id.sequence());
        Optional<TableEntity> pinned = counters.find(partition, RowKeys.FIXED);
        TableTransactionAction counter = Table.inserting(row(id, first));
        if (pinned.isEmpty()) {
            counters.transact(List.of(Table.inserting(row(partition, fixed)), counter));
        } else if (fixed(pinned.get()).equals(fixed)) {
            counters.transact(List.of(Table.replacing(row(partition, fixed), Table.version(pinned.get())), counter));
        }
    }

    /** The fields that were pinned with the first counter of the sequence, if it has one. */
    public Optional<FixedFields> pinned(SequenceName sequence) {
        return counters.find(RowKeys.partition(sequence), RowKeys.FIXED).map(TableCounterStore::fixed);
    }

    @Override
    public Optional<Outcome.Allocation> findKey(SequenceName name, String key) {
        return Optional.ofNullable(find(name, List.of(key)).get(key));
    }

    @Override
    public List<Row> rowsFrom(CounterId id, long number, int limit) {
        return counters.first(RowKeys.numbersFrom(id, number), limit).stream().map(LedgerRows::fromNumberRow).toList();
    }

    /** The periods of a sequence that have a counter, the empty one where it is never reset. */
    List<String> periods(SequenceName sequence) {
        return counters.all(RowKeys.countersOf(sequence)).stream().map(row -> RowKeys.period(row.getRowKey())).toList();
    }

    @Override
    public WriteResult replace(CounterId id, String version, CounterState state, Outcome.LedgerAddition ledger) {
        TableEntity counter = row(id, state);
        if (ledger.isEmpty()) {
            return counters.replace(counter, version);
        }
        List<TableTransactionAction> actions = new ArrayList<>();
        actions.add(Table.replacing(counter, version));
        actions.add(Table.inserting(LedgerRows.byNumber(id, state, ledger)));
        for (Outcome.Allocation allocation : ledger.allocations()) {
            actions.add(Table.inserting(LedgerRows.byKey(counter.getPartitionKey(), allocation)));
        }
        return counters.transact(actions);
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys) {
        String partition = RowKeys.partition(sequence);
        List<Callable<Optional<TableEntity>>> reads = new ArrayList<>();
        keys.forEach(key -> reads.add(() -> counters.find(partition, RowKeys.key(key))));
        Map<String, Outcome.Allocation> found = new HashMap<>();
        for (Optional<TableEntity> row : reads.size() == 1 ? List.of(counters.find(partition, RowKeys.key(keys.iterator().next()))) : all(reads)) {
            row.map(LedgerRows::fromKeyRow).ifPresent(allocation -> found.put(allocation.key(), allocation));
        }
        return found;
    }

    private List<Optional<TableEntity>> all(List<Callable<Optional<TableEntity>>> reads) {
        List<Optional<TableEntity>> rows = new ArrayList<>();
        try {
            for (Future<Optional<TableEntity>> read : lookUps.invokeAll(reads)) {
                rows.add(read.get());
            }
            return rows;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("Looking keys up was interrupted.", true, e);
        }
    }

    private static TableEntity row(CounterId id, CounterState state) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.counter(id))
                .addProperty("next", state.next())
                .addProperty("allocated", state.allocated())
                .addProperty("epoch", state.epoch())
                .addProperty("operationId", state.operationId())
                .addProperty("changedAt", state.changedAt().toString());
    }

    private static CounterState state(TableEntity row) {
        return new CounterState(
                (Long) row.getProperty("next"),
                (Long) row.getProperty("allocated"),
                (Long) row.getProperty("epoch"),
                (String) row.getProperty("operationId"),
                Instant.parse((String) row.getProperty("changedAt")));
    }

    private static TableEntity row(String partition, FixedFields fixed) {
        return new TableEntity(partition, RowKeys.FIXED)
                .addProperty("guarantee", fixed.guarantee().name().toLowerCase(Locale.ROOT))
                .addProperty("start", fixed.start())
                .addProperty("increment", fixed.increment())
                .addProperty("cycle", fixed.cycle())
                .addProperty("resetEvery", fixed.resetEvery())
                .addProperty("timeZone", fixed.timeZone())
                .addProperty("fiscalYearStart", fixed.fiscalYearStart());
    }

    private static FixedFields fixed(TableEntity row) {
        return new FixedFields(
                Guarantee.valueOf(((String) row.getProperty("guarantee")).toUpperCase(Locale.ROOT)),
                (Long) row.getProperty("start"),
                (Long) row.getProperty("increment"),
                (Boolean) row.getProperty("cycle"),
                (String) row.getProperty("resetEvery"),
                (String) row.getProperty("timeZone"),
                (Integer) row.getProperty("fiscalYearStart"));
    }
}
