package dev.numera.maintain.restore;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RowKeys;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.azure.backup.RestoredRows;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Inserts the rows of a recovery, deletes the rows of earlier recoveries, and finds rows from elsewhere. */
final class RecoveredRows {
    /** The tables that a recovery fills. Rows of the index are only added. */
    private static final List<String> RESTORED = List.of(TableNames.COUNTERS, TableNames.BATCHES);

    private final BackupTables tables;

    RecoveredRows(BackupTables tables) {
        this.tables = tables;
    }

    /** Refuses tables with rows that no recovery with one of these ids wrote, and names the first such row. */
    void requireOnlyFrom(Set<String> ids) {
        for (String table : RESTORED) {
            Iterator<BackupRow> rows = tables.exists(table) ? tables.all(table) : Collections.emptyIterator();
            while (rows.hasNext()) {
                BackupRow row = rows.next();
                if (!isFrom(ids, row)) {
                    throw new IllegalStateException("The table " + table + " has rows that no recovery wrote, the first"
                            + " is " + row.rowKey() + " of " + row.partitionKey() + ". Delete " + TableNames.COUNTERS
                            + " and " + TableNames.BATCHES + " yourself (not " + TableNames.SEQUENCES
                            + "), wait a minute, and run the command again.");
                }
            }
        }
    }

    /**
     * Whether a recovery with one of these ids wrote a row. Rows that its advance added have no id: counters, ledger
     * rows of passed numbers, and changes.
     */
    private static boolean isFrom(Set<String> ids, BackupRow row) {
        return row.properties().get(RecoveryMark.COLUMN) instanceof String id
                ? ids.contains(id)
                : !ids.isEmpty() && row.table().equals(TableNames.COUNTERS) && RowKeys.isOfAdvance(row.rowKey());
    }

    /** Deletes the rows that the present recovery has not written. Call only after {@link #requireOnlyFrom}. */
    void deleteOthers(RecoveryHold hold) {
        String id = hold.mark().source().id();
        for (String table : RESTORED) {
            try (RowTransactions deletions = new RowTransactions(tables::delete)) {
                tables.all(table).forEachRemaining(row -> {
                    if (!id.equals(row.properties().get(RecoveryMark.COLUMN))) {
                        hold.require();
                        deletions.take(row, 0);
                    }
                });
                deletions.finish();
            }
        }
    }

    /**
     * Inserts the rows of a backup, except the rows that are written according to the mark. Returns the summary of the
     * backup.
     *
     * @param done runs after each row
     * @throws IllegalStateException a table has a row of this backup from elsewhere
     */
    BackupReader.Contents insert(
            String place, BackupSource backup, Instant suspendedAt, RecoveryHold hold, Runnable done)
            throws IOException {
        long before = hold.mark().rowsWritten();
        String id = hold.mark().source().id();
        try (RowTransactions insertions = new RowTransactions(tables::insertMissing);
                InputStream in = backup.open()) {
            long[] read = {0};
            BackupReader.Contents contents = BackupReader.read(place, in, row -> {
                long position = read[0]++;
                if (position < before) {
                    return;
                }
                hold.require();
                BackupRow marked = RESTORED.contains(row.table()) ? row.with(RecoveryMark.COLUMN, id) : row;
                RestoredRows.of(marked, suspendedAt, hold.mark().source().margin())
                        .forEach(restored -> insertions.take(restored, position));
                hold.written(Math.max(before, insertions.written()));
                done.run();
            });
            insertions.finish();
            return contents;
        }
    }
}
