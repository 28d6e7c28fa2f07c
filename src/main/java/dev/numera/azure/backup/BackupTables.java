package dev.numera.azure.backup;

import com.azure.core.http.policy.HttpLogOptions;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.numera.azure.BackupContainer;
import dev.numera.azure.LedgerRows;
import dev.numera.azure.MaintenanceMarks;
import dev.numera.azure.MaintenanceRow;
import dev.numera.azure.MarkBlobs;
import dev.numera.azure.NumberOrder;
import dev.numera.azure.ParallelReads;
import dev.numera.azure.RawResponse;
import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RequestFailure;
import dev.numera.azure.RowKeys;
import dev.numera.azure.StorageClients;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.StorageConnection.Service;
import dev.numera.azure.StoredRow;
import dev.numera.azure.Table;
import dev.numera.azure.TableNames;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Reads and fills whole tables, for backups and restores, without the conditions of normal writes. Requests that fail
 * temporarily are sent again; calls block for some requests of at most a minute each. Thread-safe.
 */
public final class BackupTables {
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");
    /** The most rows of one partition in a transaction. */
    public static final int TRANSACTION_ROWS = Table.TRANSACTION_ROWS;
    /**
     * The most units of all rows in a transaction, as {@link BackupRow#units} counts them. A single row may have more.
     */
    public static final int TRANSACTION_UNITS = Table.TRANSACTION_UNITS;

    /**
     * Excludes the leases of worker numbers and the peer requests, which running instances write even during
     * maintenance. No backup contains them.
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
     * Returns the rows of a part in the table's order, reading pages on demand.
     *
     * @return an iterator whose {@code hasNext} blocks while it reads a page, and throws {@link StoreFailure} if the
     *     page cannot be read
     */
    Iterator<BackupRow> rows(TablePart part) {
        return rows(part, entity -> row(part.table(), entity));
    }

    private <T> Iterator<T> rows(TablePart part, Function<TableEntity, T> read) {
        // This call requests the first page; hasNext requests the others.
        Iterator<TableEntity> rows = reading(part, () -> tables.getTableClient(part.table())
                .listEntities(part.options(), null, null)
                .iterator());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return reading(part, rows::hasNext);
            }

            @Override
            public T next() {
                return read.apply(rows.next());
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

    /** Whether the account has the table. */
    public boolean exists(String table) {
        return table(table).isThere();
    }

    /** Creates a table if it does not exist. */
    public void create(String table) {
        RequestFailure.describing("Making the table " + table, () -> tables.createTableIfNotExists(table));
    }

    /**
     * Returns the first row that shows that a table is not empty, apart from the service's maintenance mark and the
     * rows that instances write even during maintenance.
     *
     * @throws StoreFailure the table cannot be read, or does not exist
     */
    public Optional<BackupRow> first(String table) {
        Iterator<BackupRow> rows = rows(new TablePart(table, filled(table), 1));
        return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
    }

    private static String filled(String table) {
        return MaintenanceRow.OTHERS + (table.equals(TableNames.COUNTERS) ? NOT_WRITTEN_IN_MAINTENANCE : "");
    }

    /** Returns the mark of the service in the table of counters. Other copies of the mark may be stricter. */
    public MaintenanceMark markOfCounters() {
        return MaintenanceRow.read(table(TableNames.COUNTERS));
    }

    /**
     * Changes the strictest copy of the service's mark, writes the result to every table that exists and to the
     * container of backups, and returns it.
     *
     * @throws StoreFailure the mark may be stored in some of these places only; calling again is safe
     */
    public MaintenanceMark changeMark(UnaryOperator<MaintenanceMark> change) {
        return marks.change(change);
    }

    /**
     * Writes rows to a table in one transaction, replacing rows with the same keys.
     *
     * @param rows of one partition, at most {@value #TRANSACTION_ROWS}
     * @throws StoreFailure the rows may be missing
     */
    public void put(List<BackupRow> rows) {
        List<TableTransactionAction> actions = rows.stream()
                .map(row -> new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, entity(row)))
                .toList();
        RequestFailure.describing(
                "Writing rows of the backup",
                () -> tables.getTableClient(rows.get(0).table()).submitTransaction(actions));
    }

    /**
     * Inserts rows of one partition of a table. No row is ever replaced, so a command that was killed may be started
     * again, and a late request of a killed command changes nothing. An existing row stays if it is without
     * {@link RecoveryMark#COLUMN}, as in the index, where it may belong to a later definition.
     *
     * @param rows at most {@value #TRANSACTION_ROWS}
     * @throws IllegalStateException the table has one of the rows with that column from another source than this
     *     recovery
     * @throws StoreFailure some of them may be missing
     */
    public void insertMissing(List<BackupRow> rows) {
        Table table = table(rows.get(0).table());
        if (!table.insertAll(rows.stream().map(BackupTables::entity).toList()).isWon()) {
            rows.forEach(row -> {
                if (!table.insert(entity(row)).isWon() && row.properties().containsKey(RecoveryMark.COLUMN)) {
                    requireFromSameRecovery(row);
                }
            });
        }
    }

    private void requireFromSameRecovery(BackupRow row) {
        Object recovery = row.properties().get(RecoveryMark.COLUMN);
        boolean isFromSame = table(row.table())
                .find(row.partitionKey(), row.rowKey())
                .map(present -> present.entity().getProperty(RecoveryMark.COLUMN))
                .filter(present -> present.equals(recovery))
                .isPresent();
        if (!isFromSame) {
            throw new IllegalStateException("The table " + row.table() + " has the row " + row.rowKey() + " of "
                    + row.partitionKey() + " from elsewhere, and no row is replaced.");
        }
    }

    /**
     * Deletes rows of one partition of a table by one transaction, or none of them if one has another version now or is
     * gone. So a late request of a killed command deletes no row that was restored since.
     *
     * @throws StoreFailure some of them may remain
     */
    public void delete(List<Versioned<BackupRow>> rows) {
        table(rows.get(0).value().table())
                .deleteAll(rows.stream()
                        .map(row -> new Versioned<>(
                                new TableEntity(
                                        row.value().partitionKey(), row.value().rowKey()),
                                row.version()))
                        .toList())
                .requireKnown();
    }

    /**
     * Adds the row in number order of an imported number, unless the table has it.
     *
     * @param keyRow the row by key, which must be readable
     * @throws StoreFailure the row may be missing; calling again is safe
     */
    public void completeNumberOrder(BackupRow keyRow) {
        Allocation allocation = LedgerRows.fromKeyRow(new StoredRow(keyRow.table(), entity(keyRow)));
        CounterId id = new CounterId(RowKeys.sequence(keyRow.partitionKey()), allocation.period());
        new NumberOrder(table(keyRow.table())).complete(id, allocation);
    }

    /** Returns every row of a table that a recovery may have to replace: like {@link #first}, all of them. */
    public Iterator<Versioned<BackupRow>> all(String table) {
        return rows(
                new TablePart(table, filled(table), Table.MAX_PAGE_ROWS),
                entity -> new Versioned<>(row(table, entity), entity.getETag()));
    }

    /** Returns the mark of the recovery that last wrote to these tables; empty if there was none. */
    public Optional<RecoveryMark> recovery() {
        return RecoveryMark.find(table(TableNames.COUNTERS));
    }

    /** Like {@link RecoveryMark#write}. */
    public Optional<RecoveryMark> write(RecoveryMark mark) {
        return mark.write(table(TableNames.COUNTERS));
    }

    /** Returns the name of the storage account: the first label of the host, or the path of a local account. */
    public String account() {
        URI endpoint = URI.create(tables.getServiceEndpoint());
        String path = endpoint.getPath().replace("/", "");
        return path.isEmpty() ? endpoint.getHost().substring(0, (endpoint.getHost() + ".").indexOf('.')) : path;
    }

    static TableEntity entity(BackupRow row) {
        TableEntity entity = new TableEntity(row.partitionKey(), row.rowKey());
        row.properties().forEach(entity::addProperty);
        return entity;
    }
}
