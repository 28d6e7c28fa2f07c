package dev.numera.azure.backup;

import dev.numera.azure.MaintenanceRow;
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
 * Writes all tables to a backup. Holds one page of rows at a time, however many rows there are. Requests that fail for
 * a moment are sent again; a call blocks for as long as the tables are large. Thread-safe.
 */
public final class TableExport {
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
            // In the order of names a definition follows its counters.
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
     * Writes a backup of every row; returns how many there were.
     *
     * @param out stays open. What it got is a backup only when this returns
     * @throws StoreFailure a table could not be read to its end
     */
    public long exportTo(OutputStream out, InstantSource clock) throws IOException {
        BackupWriter backup = new BackupWriter(out, clock);
        for (TablePart part : PARTS) {
            Iterator<BackupRow> rows = tables.rows(part);
            while (rows.hasNext()) {
                backup.take(rows.next());
            }
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
}
