package dev.numera.storage;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.numera.backup.Row;
import dev.numera.execution.StoreFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Puts rows into the tables, in transactions of neighbours, some at a time: each is a row of its own, and no program
 * reads them meanwhile. Not thread-safe.
 */
final class RowPutter implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(RowPutter.class.getName());
    /** Over a distance they wait for answers rather than for the store. */
    private static final int AT_ONCE = 6;
    /** Of all transactions under way, so that memory stays flat where rows are long. */
    private static final long UNITS_AT_ONCE = 2_000_000;

    private final TableServiceClient tables;
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, StorageAccount.threads("restore"));
    /** Transactions, each of which returns its units. */
    private final Deque<Future<Long>> underWay = new ArrayDeque<>();

    private List<Row> together = new ArrayList<>();
    private long units;
    private long unitsUnderWay;

    RowPutter(TableServiceClient tables) {
        this.tables = tables;
    }

    /** @throws StoreFailure this row, or one before it, was not written */
    void take(Row row) {
        add(row);
        if (RowKeys.isKey(row.rowKey())) {
            markOf(row).ifPresent(this::add);
        }
    }

    /** A row that cannot be read is put back as it was, without a mark: it is the problem of its key. */
    static Optional<Row> markOf(Row row) {
        try {
            return LedgerRows.markOf(new StoredRow(row.table(), entity(row)))
                    .map(mark -> new Row(row.table(), row.partitionKey(), mark, ofMark(row)));
        } catch (StoreFailure e) {
            LOG.log(Level.WARNING, "A row of the backup gets no mark: {0}", e.getMessage());
            return Optional.empty();
        }
    }

    /** That a write was won shows in the row by key alone. */
    private static SortedMap<String, Object> ofMark(Row row) {
        SortedMap<String, Object> properties = new TreeMap<>(row.properties());
        properties.remove(LedgerRows.OPERATION_ID);
        return properties;
    }

    private void add(Row row) {
        boolean isFull = together.size() == Table.TRANSACTION_ROWS || units + row.units() > Table.TRANSACTION_UNITS;
        if (!together.isEmpty() && (isFull || !isBeside(row, together.get(0)))) {
            submit();
        }
        together.add(row);
        units += row.units();
    }

    /**
     * Returns when every row is written.
     *
     * @throws StoreFailure one was not
     */
    void finish() {
        if (!together.isEmpty()) {
            submit();
        }
        while (!underWay.isEmpty()) {
            awaitFirst();
        }
    }

    /** What is under way goes on; what waits is dropped. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    static void requireKnown(String table) {
        if (!TableNames.ALL.contains(table)) {
            throw new IllegalArgumentException(
                    "The backup has rows of a table " + table + ", which is none of " + TableNames.ALL + ".");
        }
    }

    private static boolean isBeside(Row row, Row other) {
        return row.table().equals(other.table()) && row.partitionKey().equals(other.partitionKey());
    }

    private void submit() {
        while (underWay.size() == AT_ONCE || !underWay.isEmpty() && unitsUnderWay + units > UNITS_AT_ONCE) {
            awaitFirst();
        }
        List<Row> rows = together;
        long unitsOfRows = units;
        underWay.add(threads.submit(() -> {
            put(rows);
            return unitsOfRows;
        }));
        unitsUnderWay += units;
        together = new ArrayList<>();
        units = 0;
    }

    private void awaitFirst() {
        try {
            unitsUnderWay -= underWay.remove().get();
        } catch (ExecutionException e) {
            // The client throws unrelated types, errors among them: whatever it is, the rows may be missing.
            RuntimeException failure =
                    e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
            throw RequestFailure.of(failure, new WireAnswer()).describedAs("Writing rows of the backup");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("The restore was interrupted: a part of the rows is written.", true, e);
        }
    }

    private void put(List<Row> rows) {
        List<TableTransactionAction> actions = rows.stream()
                .map(row -> new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, entity(row)))
                .toList();
        tables.getTableClient(rows.get(0).table()).submitTransaction(actions);
    }

    static TableEntity entity(Row row) {
        TableEntity entity = new TableEntity(row.partitionKey(), row.rowKey());
        row.properties().forEach(entity::addProperty);
        return entity;
    }
}
