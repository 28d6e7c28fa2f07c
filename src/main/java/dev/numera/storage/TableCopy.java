package dev.numera.storage;

import com.azure.core.http.policy.HttpLogOptions;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.numera.backup.BackupReader;
import dev.numera.backup.BackupWriter;
import dev.numera.backup.Row;
import dev.numera.execution.Clock;
import dev.numera.execution.StoreFailure;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Maintenance;
import dev.numera.storage.StorageConnection.Service;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * All tables out to a backup, and back from one. Holds a page of rows at a time, or some transactions, however many
 * there are. Requests that fail for a moment are sent again; both ways blocks for as long as the tables are large.
 * Thread-safe.
 */
public final class TableCopy {
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");
    /** Rows of these may have a megabyte each. */
    private static final int LARGE_ROWS_PER_PAGE = 50;

    /**
     * What is written first comes last, so that a copy made meanwhile lacks nothing that its rows build on: what is
     * there in number order is there by key, a counter is never behind its ledger, never newer than the mark of its
     * definition, and a definition that the index names is never missing. The row of an upload, with its progress,
     * comes before all of them: what is answered by it is in the ledger, and answers beyond it are put over answers.
     *
     * <p>Left out are the requests between instances: put back, they would be answered once more. So are the leases of
     * worker numbers: put back, they would name owners that are gone. So are marks: each is made of its row by key, for
     * read beside it they would be of another moment.
     */
    private static final List<Part> PARTS = List.of(
            new Part(TableNames.BATCHES, "RowKey eq 'upload'", Table.MAX_PAGE_ROWS),
            new Part(
                    TableNames.COUNTERS,
                    ServiceRow.OTHERS
                            + " and PartitionKey ne '" + RowKeys.WORKERS + "' and (RowKey lt 'counter'"
                            + " or (RowKey ge 'counter;' and RowKey lt 'key:' and RowKey ne 'definition')"
                            + " or (RowKey ge 'key;' and RowKey lt 'mark:')"
                            + " or (RowKey ge 'mark;' and RowKey lt 'peer:') or RowKey ge 'peer;')",
                    Table.MAX_PAGE_ROWS),
            new Part(TableNames.COUNTERS, "RowKey ge 'key:' and RowKey lt 'key;'", Table.MAX_PAGE_ROWS),
            // In the order of names a definition follows its counters.
            new Part(
                    TableNames.COUNTERS,
                    "(RowKey ge 'counter' and RowKey lt 'counter;') or RowKey eq 'definition'",
                    Table.MAX_PAGE_ROWS),
            new Part(TableNames.SEQUENCES, ServiceRow.OTHERS, Table.MAX_PAGE_ROWS),
            new Part(TableNames.BATCHES, ServiceRow.OTHERS + " and RowKey ne 'upload'", LARGE_ROWS_PER_PAGE));

    /**
     * The rows that running instances write even during maintenance, and that no backup contains: leases of worker
     * numbers and peer requests.
     */
    private static final String BEING_RUN =
            " and PartitionKey ne '" + RowKeys.WORKERS + "' and (RowKey lt 'peer:' or RowKey ge 'peer;')";
    /** Any of these rows makes a table a full one. */
    private static final List<Part> WANTED_EMPTY = List.of(
            new Part(TableNames.COUNTERS, ServiceRow.OTHERS + BEING_RUN, 1),
            new Part(TableNames.BATCHES, ServiceRow.OTHERS, 1));

    private record Part(String table, String filter, int rowsPerPage) {
        ListEntitiesOptions options() {
            return new ListEntitiesOptions().setFilter(filter).setTop(rowsPerPage);
        }
    }

    /** What is read twice: once to see that it is whole, once to act upon it. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    private final TableServiceClient tables;
    private final ServiceMarks marks;

    /** @throws ProblemException {@code misconfigured}: the connection cannot be used */
    public TableCopy(StorageConnection connection) {
        this.tables = StorageAccount.usable(connection.setting(Service.TABLES), () -> connection
                .connect(Service.TABLES, new TableServiceClientBuilder())
                .httpClient(StorageAccount.httpClient(BackupBlobs.REQUEST_TIMEOUT))
                .retryOptions(BackupBlobs.RETRIES)
                .httpLogOptions(new HttpLogOptions())
                .addPolicy(new WireAnswer.Policy())
                .buildClient());
        this.marks = new ServiceMarks(
                TableNames.ALL.stream().map(this::table).toList(),
                new LookUps(Executors.newCachedThreadPool(StorageAccount.threads("numera-look-up"))),
                () -> new BackupBlobs(connection));
    }

    /**
     * Writes a backup of every row; returns how many there were.
     *
     * @param out stays open. What it got is a backup only when this returns
     * @throws StoreFailure a table could not be read to its end
     */
    public long exportTo(OutputStream out, InstantSource clock) throws IOException {
        BackupWriter backup = new BackupWriter(out, clock);
        for (Part part : PARTS) {
            export(part, backup);
        }
        return backup.finish();
    }

    /**
     * Writes a backup of every row to a blob that is there only when it is whole; returns how many rows there were.
     *
     * @throws StoreFailure a table could not be read to its end, or the blob is not known to be there
     * @throws IllegalStateException there is a blob of this name
     */
    public long exportTo(BackupBlobs backups, String name, InstantSource clock) throws IOException {
        try (BlobUpload blob = backups.begin(name)) {
            long rows = exportTo(blob, clock);
            blob.commit();
            return rows;
        }
    }

    private void export(Part part, BackupWriter backup) throws IOException {
        Iterator<TableEntity> rows = reading(part, () -> rows(part));
        while (reading(part, rows::hasNext)) {
            backup.take(row(part.table(), rows.next()));
        }
    }

    /** The first page is requested here, each other one by {@code hasNext}. */
    private Iterator<TableEntity> rows(Part part) {
        return tables.getTableClient(part.table())
                .listEntities(part.options(), null, null)
                .iterator();
    }

    private static <T> T reading(Part part, Supplier<T> request) {
        return RequestFailure.describing("Reading the table " + part.table(), request);
    }

    /**
     * Puts every row of a backup into the tables, which are made where they are missing; returns what it holds. The
     * backup is read to its end before the first row is written.
     *
     * <p>No instance need be stopped. First the whole service is suspended, unless it is, and the row that says so is
     * there before the index is, without which no instance opens a counter. After {@link Maintenance#HONORED_WITHIN}
     * none works by a definition that it read before. Sequences arrive suspended. Rows of the index stay, so that a
     * sequence that the backup lacks is known to be lost; where there is no index, no call for a number creates a
     * sequence until an operator allows it, also after another restore, which finds the index of this one.
     *
     * @param over whether the tables may hold rows, as after a restore that broke off: rows of the same keys are
     *     replaced, all others stay
     * @param time for the wait
     * @throws IllegalStateException the tables hold rows, and may not
     * @throws IOException it is no whole backup; nothing was written
     * @throws StoreFailure a part of the rows is in the tables, and a part is not
     */
    public BackupReader.Contents importFrom(String name, Source source, boolean over, Clock time) throws IOException {
        check(name, source);
        create(TableNames.COUNTERS);
        create(TableNames.BATCHES);
        // Before, so that a service that is not to be restored is not suspended; and when no instance writes any more.
        requireEmptyUnless(over);
        Instant suspendedAt = suspend(time);
        TableNames.ALL.forEach(this::create);
        requireEmptyUnless(over);
        boolean isIndexed =
                first(new Part(TableNames.SEQUENCES, ServiceRow.OTHERS, 1)).isPresent();
        // An attempt over rows, too: the one before it may have been interrupted ahead of this mark. Where nothing
        // changes, the tables that were made just now get the mark of the others.
        marks.change(mark -> isIndexed ? mark : mark.creationClosed(suspendedAt));
        try (RowPutter putter = new RowPutter(tables);
                InputStream in = source.open()) {
            BackupReader.Contents contents = BackupReader.read(name, in, row -> {
                if (row.partitionKey().equals(ServiceRow.PARTITION)) {
                    return; // An earlier release has exported the mark of that time from other tables than its own.
                }
                if (isIndexed && row.table().equals(TableNames.SEQUENCES)) {
                    index(row);
                } else {
                    putter.take(arriving(row, suspendedAt));
                }
            });
            putter.finish();
            return contents;
        }
    }

    private Table table(String name) {
        return new Table(tables.getTableClient(name));
    }

    /** Returns when no instance works any more by what it read before the service was suspended. */
    private Instant suspend(Clock time) {
        Instant now = time.now();
        // The mark of another place may be left from an earlier maintenance that did not end there.
        Instant already = ServiceRow.read(table(TableNames.COUNTERS)).suspendedAt();
        Instant since =
                Objects.requireNonNull(marks.change(mark -> mark.suspended(now)).suspendedAt());
        Duration left = Duration.between(now, (already == null ? now : already).plus(Maintenance.HONORED_WITHIN));
        if (!left.isNegative()) {
            time.pause(left);
        }
        return since;
    }

    private static Row arriving(Row row, Instant suspendedAt) {
        boolean isOfSequence = row.table().equals(TableNames.COUNTERS)
                // A template allocates nothing, so nothing would resume it.
                && !row.partitionKey().startsWith(SequenceName.TEMPLATES + ":");
        if (isOfSequence && row.rowKey().equals(RowKeys.DEFINITION)) {
            return row.with(DefinitionRows.restored(row.properties(), suspendedAt));
        }
        return isOfSequence && RowKeys.isCounter(row.rowKey()) ? row.with(CounterRows.restored(row.properties())) : row;
    }

    /** A row that is there may be of a later definition. */
    private void index(Row row) {
        table(row.table()).insert(RowPutter.entity(row)).requireKnown();
    }

    /**
     * Reads a backup to its end; returns what it holds.
     *
     * @throws IOException it is no whole backup of these tables
     */
    public static BackupReader.Contents check(String name, Source source) throws IOException {
        try (InputStream in = source.open()) {
            return BackupReader.read(name, in, row -> RowPutter.requireKnown(row.table()));
        }
    }

    private void create(String table) {
        RequestFailure.describing("Making the table " + table, () -> tables.createTableIfNotExists(table));
    }

    private Optional<TableEntity> first(Part part) {
        return reading(part, () -> {
            Iterator<TableEntity> rows = rows(part);
            return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
        });
    }

    private void requireEmptyUnless(boolean over) {
        if (!over) {
            WANTED_EMPTY.forEach(this::requireEmpty);
        }
    }

    private void requireEmpty(Part part) {
        first(part).ifPresent(row -> {
            throw new IllegalStateException("The table " + part.table()
                    + " is not empty. Restore into an account without "
                    + TableNames.COUNTERS + " and " + TableNames.BATCHES + ", or delete these tables first and wait a"
                    + " minute; " + TableNames.SEQUENCES
                    + " stays. Only to go on with a restore of the same backup that"
                    + " broke off, say --over-rows. Its first row is " + row.getRowKey() + " of "
                    + row.getPartitionKey() + ".");
        });
    }

    private static Row row(String table, TableEntity entity) {
        SortedMap<String, Object> properties = new TreeMap<>();
        for (Map.Entry<String, Object> property : entity.getProperties().entrySet()) {
            String name = property.getKey();
            boolean isAnnotation = name.startsWith("odata.") || name.contains("@");
            if (!SYSTEM_PROPERTIES.contains(name) && !isAnnotation) {
                properties.put(name, property.getValue());
            }
        }
        return new Row(table, entity.getPartitionKey(), entity.getRowKey(), properties);
    }
}
