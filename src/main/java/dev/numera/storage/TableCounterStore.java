package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.CounterStore;
import dev.numera.counter.CounterWrite;
import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Versioned;
import dev.numera.counter.WriteResult;
import dev.numera.sequence.LedgerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Counters and ledgers in the table {@value TableNames#COUNTERS}: one partition for each sequence. */
final class TableCounterStore implements CounterStore, LedgerStore {
    private final Table counters;
    private final LookUps lookUps;

    TableCounterStore(Table counters, LookUps lookUps) {
        this.counters = counters;
        this.lookUps = lookUps;
    }

    @Override
    public Optional<Versioned> read(CounterId id) {
        return counters.find(RowKeys.partition(id.sequence()), RowKeys.counter(id))
                .map(row -> new Versioned(state(row), row.version()));
    }

    @Override
    public WriteResult write(CounterWrite write) {
        TableEntity counter = row(write.id(), write.state());
        Outcome.LedgerAddition ledger = write.ledger();
        if (ledger.isEmpty() && !write.opens() && !write.marksDefinition()) {
            return counters.change(counter, write.version());
        }
        List<TableTransactionAction> actions = new ArrayList<>();
        actions.add(write.opens() ? Table.inserting(counter) : Table.changing(counter, write.version()));
        if (write.marksDefinition()) {
            actions.add(Table.changing(DefinitionRows.mark(write.id().sequence()), write.definitionVersion()));
        }
        if (!ledger.isEmpty()) {
            actions.add(Table.inserting(LedgerRows.byNumber(write.id(), write.state(), ledger)));
        }
        for (Outcome.Allocation allocation : ledger.allocations()) {
            actions.add(Table.inserting(LedgerRows.byKey(counter.getPartitionKey(), allocation)));
        }
        return counters.transact(actions);
    }

    @Override
    public Map<String, Outcome.Allocation> find(SequenceName sequence, Collection<String> keys, Duration atMost) {
        String partition = RowKeys.partition(sequence);
        List<Callable<Optional<StoredRow>>> reads = new ArrayList<>();
        keys.forEach(key -> reads.add(() -> counters.find(partition, RowKeys.key(key))));
        Map<String, Outcome.Allocation> found = new HashMap<>();
        for (Optional<StoredRow> row : lookUps.all(reads, atMost)) {
            row.map(LedgerRows::fromKeyRow).ifPresent(allocation -> found.put(allocation.key(), allocation));
        }
        return found;
    }

    @Override
    public Optional<Outcome.Allocation> findKey(SequenceName name, String key) {
        return counters.find(RowKeys.partition(name), RowKeys.key(key)).map(LedgerRows::fromKeyRow);
    }

    @Override
    public List<Row> rowsFrom(CounterId id, long number, int limit) {
        return counters.first(RowKeys.numbersFrom(id, number), limit).stream()
                .map(LedgerRows::fromNumberRow)
                .toList();
    }

    /** The states of all counters of a sequence, by their periods. */
    Map<String, CounterState> counters(SequenceName sequence) {
        Map<String, CounterState> states = new TreeMap<>();
        counters.all(RowKeys.countersOf(sequence)).forEach(row -> states.put(RowKeys.period(row.row()), state(row)));
        return states;
    }

    private static TableEntity row(CounterId id, CounterState state) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.counter(id))
                .addProperty("next", state.next())
                .addProperty("allocated", state.allocated())
                .addProperty("epoch", state.epoch())
                .addProperty("operationId", state.operationId())
                .addProperty("changedAt", state.changedAt().toString());
    }

    private static CounterState state(StoredRow row) {
        return new CounterState(
                row.int64("next"),
                row.int64("allocated"),
                row.int64("epoch"),
                row.text("operationId"),
                row.instant("changedAt"));
    }
}
