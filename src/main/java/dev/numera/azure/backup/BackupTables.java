package dev.numera.azure.backup;

import com.azure.core.http.policy.HttpLogOptions;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.numera.azure.BackupContainer;
import dev.numera.azure.MaintenanceMarks;
import dev.numera.azure.MaintenanceRow;
import dev.numera.azure.MarkBlobs;
import dev.numera.azure.ParallelReads;
import dev.numera.azure.RawResponse;
import dev.numera.azure.RequestFailure;
import dev.numera.azure.RowKeys;
import dev.numera.azure.StorageClients;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.StorageConnection.Service;
import dev.numera.azure.Table;
import dev.numera.azure.TableNames;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The tables as a backup reads them and as a restore fills them: any row, without conditions. Requests that fail for a
 * moment are sent again; calls block for some requests of at most a minute each. Thread-safe.
 */
public final class BackupTables {
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");
    /** A transaction holds at most so many rows of one partition. */
    public static final int TRANSACTION_ROWS = Table.TRANSACTION_ROWS;
    /** As {@link BackupRow#units} counts them, of all rows of a transaction. A row alone may have more. */
    public static final int TRANSACTION_UNITS = Table.TRANSACTION_UNITS;

    /**
     * Excludes the rows that running instances write even during maintenance, and that no backup contains: leases of
     * worker numbers and peer requests.
     */
    private static final String NOT_WRITTEN_IN_MAINTENANCE =
            " and PartitionKey ne '" + RowKeys.WORKERS + "' and (RowKey lt 'peer:' or RowKey ge 'peer;')";

    private final TableServiceClient tables;
    private final MaintenanceMarks marks;

    /** @throws ProblemException {@code misconfigured}: the connection cannot be used */
    public BackupTables(StorageConnection connection) {
        this.tables = StorageClients.usable(connection.setting(Service.TABLES), () -> connection
                .connect(Service.TABLES, new TableServiceClientBuilder())
                .httpClient(StorageClients.httpClient(BackupContainer.REQUEST_TIMEOUT))
                .retryOptions(BackupContainer.RETRIES)
                .httpLogOptions(new HttpLogOptions())
                .addPolicy(new RawResponse.Policy())
                .buildClient());
        this.marks = new MaintenanceMarks(
                TableNames.ALL.stream().map(this::table).toList(),
                new ParallelReads(Executors.newCachedThreadPool(StorageClients.threads("numera-look-up"))),
                () -> new MarkBlobs(connection));
    }

    private Table table(String name) {
        return new Table(tables.getTableClient(name));
    }

    /**
     * The rows of a part, in the table's order, read as the caller goes on.
     *
     * @return its {@code hasNext} blocks for a page, and throws {@link StoreFailure} where the page cannot be read
     */
    Iterator<BackupRow> rows(TablePart part) {
        // The first page is requested here, each other one by hasNext.
        Iterator<TableEntity> rows = reading(part, () -> tables.getTableClient(part.table())
                .listEntities(part.options(), null, null)
                .iterator());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return reading(part, rows::hasNext);
            }

            @Override
            public BackupRow next() {
                return row(part.table(), rows.next());
            }
        };
    }

    private static <T> T reading(TablePart part, Supplier<T> request) {
        return RequestFailure.describing("Reading the table " + part.table(), request);
    }

    private static BackupRow row(String table, TableEntity entity) {
        SortedMap<String, Object> properties = new TreeMap<>();
        for (Map.Entry<String, Object> property : entity.getProperties().entrySet()) {
            String name = property.getKey();
            boolean isAnnotation = name.startsWith("odata.") || name.contains("@");
            if (!SYSTEM_PROPERTIES.contains(name) && !isAnnotation) {
                properties.put(name, property.getValue());
            }
        }
        return new BackupRow(table, entity.getPartitionKey(), entity.getRowKey(), properties);
    }

    /** Creates a table unless it exists. */
    public void create(String table) {
        RequestFailure.describing("Making the table " + table, () -> tables.createTableIfNotExists(table));
    }

    /**
     * Returns the first row of a table that holds any, not counting the mark of the service and the rows that running
     * instances write even during maintenance.
     *
     * @throws StoreFailure the table cannot be read, or does not exist
     */
    public Optional<BackupRow> first(String table) {
        String others = table.equals(TableNames.COUNTERS) ? NOT_WRITTEN_IN_MAINTENANCE : "";
        Iterator<BackupRow> rows = rows(new TablePart(table, MaintenanceRow.OTHERS + others, 1));
        return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
    }

    /** Returns the mark of the service in the table of counters, which other places may exceed. */
    public MaintenanceMark markOfCounters() {
        return MaintenanceRow.read(table(TableNames.COUNTERS));
    }

    /**
     * Changes the strictest mark of the service that any place has, and writes the result to every table that exists
     * and to the container of backups; returns it.
     *
     * @throws StoreFailure some places may have it, and others not
     */
    public MaintenanceMark changeMark(UnaryOperator<MaintenanceMark> change) {
        return marks.change(change);
    }

    /** Inserts a row; one with the same keys stays as it is. */
    public void insert(BackupRow row) {
        table(row.table()).insert(entity(row)).requireKnown();
    }

    /**
     * Puts rows into a table by one transaction, over rows with the same keys.
     *
     * @param rows of one partition, at most {@value #TRANSACTION_ROWS}
     * @throws StoreFailure they may be missing
     */
    public void put(List<BackupRow> rows) {
        List<TableTransactionAction> actions = rows.stream()
                .map(row -> new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, entity(row)))
                .toList();
        RequestFailure.describing(
                "Writing rows of the backup",
                () -> tables.getTableClient(rows.get(0).table()).submitTransaction(actions));
    }

    static TableEntity entity(BackupRow row) {
        TableEntity entity = new TableEntity(row.partitionKey(), row.rowKey());
        row.properties().forEach(entity::addProperty);
        return entity;
    }
}
