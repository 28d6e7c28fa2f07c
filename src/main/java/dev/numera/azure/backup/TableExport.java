package dev.numera.azure.backup;

import dev.numera.azure.MaintenanceRow;
import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RowKeys;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.Table;
import dev.numera.azure.TableNames;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;

/**
 * Writes all tables to a backup. Keeps one page of rows in memory, however large the tables are. Requests that fail
 * temporarily are sent again; a call blocks in proportion to the size of the tables. Thread-safe.
 */
public final class TableExport {
    /** Small, because a row with a part of an upload may have a megabyte. */
    private static final int LARGE_ROWS_PER_PAGE = 50;

    /**
     * The parts of the tables in reading order. The app keeps writing meanwhile, so rows that the app writes first are
     * read last. Then no row in the backup refers to a row that the backup lacks: every number in number order also has
     * its row by key, a counter is never behind its ledger and never newer than the mark of its definition, and every
     * definition in the index exists. Uploads, with their progress, are read before everything else: the ledger
     * contains each number that they report as allocated, and repeating the rest of an upload only overwrites its
     * answers. A number that is imported meanwhile may have only its row by key; a restore adds the row in number
     * order.
     *
     * <p>The backup leaves out peer requests, because restored ones would be answered again, and leases of worker
     * numbers, because their owners would no longer exist. It also leaves out marks: a restore makes each from its row
     * by key, because a mark read separately could show another moment.
     */
    private static final List<TablePart> PARTS = List.of(
            new TablePart(TableNames.BATCHES, "RowKey eq 'upload'", Table.MAX_PAGE_ROWS),
            new TablePart(
                    TableNames.COUNTERS,
                    MaintenanceRow.OTHERS
                            + " and PartitionKey ne '" + RowKeys.WORKERS + "' and (RowKey lt 'counter'"
                            + " or (RowKey ge 'counter;' and RowKey lt 'key:' and RowKey ne 'definition')"
                            + " or (RowKey ge 'key;' and RowKey lt 'mark:')"
                            + " or (RowKey ge 'mark;' and RowKey lt 'peer:') or RowKey ge 'peer;')",
                    Table.MAX_PAGE_ROWS),
            new TablePart(TableNames.COUNTERS, "RowKey ge 'key:' and RowKey lt 'key;'", Table.MAX_PAGE_ROWS),
            // Read in the order of names: the definition follows its counters.
            new TablePart(
                    TableNames.COUNTERS,
                    "(RowKey ge 'counter' and RowKey lt 'counter;') or RowKey eq 'definition'",
                    Table.MAX_PAGE_ROWS),
            new TablePart(TableNames.SEQUENCES, MaintenanceRow.OTHERS, Table.MAX_PAGE_ROWS),
            new TablePart(TableNames.BATCHES, MaintenanceRow.OTHERS + " and RowKey ne 'upload'", LARGE_ROWS_PER_PAGE));

    private final BackupTables tables;

    /** @throws ProblemException {@code misconfigured}: the connection cannot be used */
    public TableExport(StorageConnection connection) {
        this.tables = new BackupTables(connection);
    }

    /**
     * Writes a backup of every row, and returns the number of rows.
     *
     * @param out stays open; its content is a valid backup only if this method returns
     * @throws StoreFailure a table could not be read to its end
     */
    public long exportTo(OutputStream out, InstantSource clock) throws IOException {
        BackupWriter backup = new BackupWriter(out, tables.account(), clock);
        for (TablePart part : PARTS) {
            Iterator<BackupRow> rows = tables.rows(part);
            while (rows.hasNext()) {
                backup.take(rows.next().without(RecoveryMark.COLUMN));
            }
        }
        return backup.finish();
    }

    /**
     * Writes a backup of every row to a blob, which exists only when it is complete. Returns the number of rows.
     *
     * @throws StoreFailure a table could not be read to its end, or the blob may not exist
     * @throws IllegalStateException a blob of this name exists
     */
    public long exportTo(BackupBlobs backups, String name, InstantSource clock) throws IOException {
        try (BlobUpload blob = backups.begin(name)) {
            long rows = exportTo(blob, clock);
            blob.commit();
            return rows;
        }
    }
}
