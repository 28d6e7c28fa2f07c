package dev.numera.maintain.restore;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.RowKeys;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.azure.backup.RestoredRows;
import dev.numera.core.model.Versioned;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Inserts the rows of a recovery, deletes the rows of earlier recoveries, and finds rows from elsewhere. */
final class RecoveredRows {
    /** The tables that a recovery fills. Rows of the index are only added. */
    private static final List<String> RESTORED = List.of(TableNames.COUNTERS, TableNames.BATCHES);

    /** The most times that a table is listed for rows of earlier recoveries. */
    private static final int MAX_PASSES = 10;

    private final BackupTables tables;

    RecoveredRows(BackupTables tables) {
        this.tables = tables;
    }

    /** Refuses tables with rows that no recovery with one of these ids wrote, and names the first such row. */
    void requireOnlyFrom(Set<String> ids) {
        for (String table : RESTORED) {
            Iterator<Versioned<BackupRow>> rows =
                    tables.exists(table) ? tables.all(table) : Collections.emptyIterator();
            while (rows.hasNext()) {
                BackupRow row = rows.next().value();
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

    /**
     * Deletes the rows that the present recovery has not written. Call only after {@link #requireOnlyFrom}.
     *
     * @throws IllegalStateException another program keeps writing such rows
     */
    void deleteOthers(RecoveryHold hold) {
        for (String table : RESTORED) {
            int passes = 0;
            while (!isWithoutOthers(table, hold)) {
                if (++passes == MAX_PASSES) {
                    throw new IllegalStateException("The table " + table + " got new rows " + MAX_PASSES
                            + " times while the rows of the earlier recovery were deleted: stop the program that"
                            + " writes them, and run the command again.");
                }
            }
        }
    }

    /** Returns whether a table has no rows of earlier recoveries. Deletes such rows, unless they change meanwhile. */
    private boolean isWithoutOthers(String table, RecoveryHold hold) {
        String id = hold.mark().source().id();
        boolean isWithout = true;
        try (RowTransactions<Versioned<BackupRow>> deletions =
                new RowTransactions<>(Versioned::value, held(hold, tables::delete))) {
            Iterator<Versioned<BackupRow>> rows = tables.all(table);
            while (rows.hasNext()) {
                Versioned<BackupRow> row = rows.next();
                if (!id.equals(row.value().properties().get(RecoveryMark.COLUMN))) {
                    isWithout = false;
                    deletions.take(row, 0);
                }
            }
            deletions.finish();
        }
        return isWithout;
    }

    /**
     * Sends rows only while this process holds the recovery. The thread that sends them checks that, because the
     * machine may have slept since they were read.
     */
    private static <R> Consumer<List<R>> held(RecoveryHold hold, Consumer<List<R>> send) {
        return rows -> {
            hold.require();
            send.accept(rows);
        };
    }

    /**
     * Inserts the rows of a backup, except the rows that are written according to the mark. Returns the summary of the
     * backup.
     *
     * @param imports receives each row
     * @param done runs after each row
     * @throws IllegalStateException a table has a row of this backup from elsewhere
     */
    BackupReader.Contents insert(
            String place,
            BackupSource backup,
            Instant suspendedAt,
            RecoveryHold hold,
            ImportsDuringBackup imports,
            Runnable done)
            throws IOException {
        long before = hold.mark().rowsWritten();
        String id = hold.mark().source().id();
        try (RowTransactions<BackupRow> insertions =
                        new RowTransactions<>(Function.identity(), held(hold, tables::insertMissing));
                InputStream in = backup.open()) {
            long[] read = {0};
            BackupReader.Contents contents = BackupReader.read(place, in, row -> {
                imports.look(row);
                long position = read[0]++;
                if (position < before) {
                    return;
                }
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
