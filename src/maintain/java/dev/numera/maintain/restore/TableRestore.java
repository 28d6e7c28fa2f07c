package dev.numera.maintain.restore;

import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.azure.backup.RestoredRows;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.StoreFailure;
import dev.numera.sequences.catalog.Maintenance;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Restores a backup into the tables. Memory use does not depend on the number of rows. Repeats requests that fail
 * temporarily. A call blocks until the whole backup is restored. Thread-safe.
 */
public final class TableRestore {
    private final BackupTables tables;

    /** @throws ProblemException {@code misconfigured}: the connection is unusable */
    public TableRestore(StorageConnection connection) {
        this(new BackupTables(connection));
    }

    TableRestore(BackupTables tables) {
        this.tables = tables;
    }

    /**
     * Writes every row of a backup into the tables and returns the backup's summary. Creates missing tables. Reads the
     * backup to its end before it writes the first row.
     *
     * <p>The instances may keep running. The restore first suspends the whole service, unless it is suspended already,
     * and waits {@link Maintenance#HONORED_WITHIN}: after that, no instance uses a definition that it read before. The
     * mark of the suspension exists before the index does, and no instance opens a counter without an index. All
     * restored sequences are suspended.
     *
     * <p>Existing index rows stay, so a sequence that is missing in the backup is recognized as lost. If the account
     * has no index, the restore closes creation: no call for numbers creates a sequence until an operator allows it.
     * Creation stays closed after a second restore, although that restore finds the index of the first one.
     *
     * @param over whether the tables may contain rows, for example of an interrupted restore: rows with the same keys
     *     are replaced, all others stay
     * @param time the clock for the wait
     * @throws IllegalStateException the tables contain rows, and {@code over} is false
     * @throws IOException the backup is not complete; nothing was written
     * @throws StoreFailure writing failed; some rows of the backup are in the tables, others are not
     */
    public BackupReader.Contents importFrom(String name, BackupSource source, boolean over, Clock time)
            throws IOException {
        Instant startedAt = check(name, source).startedAt();
        tables.create(TableNames.COUNTERS);
        tables.create(TableNames.BATCHES);
        // The first check keeps the service running if the restore is refused. The second one runs when no instance
        // writes any more.
        requireEmptyUnless(over);
        Instant suspendedAt = suspend(time);
        TableNames.ALL.forEach(tables::create);
        requireEmptyUnless(over);
        closeCreationUnlessIndexed(suspendedAt);
        return write(name, source, startedAt, suspendedAt);
    }

    /**
     * Closes creation if the account has no index. A repeated restore does so too, because the earlier one may have
     * been interrupted before it closed creation. Even if the mark stays the same, this call copies it to the tables
     * that were just created.
     */
    void closeCreationUnlessIndexed(Instant suspendedAt) {
        boolean isIndexed = tables.first(TableNames.SEQUENCES).isPresent();
        tables.changeMark(mark -> isIndexed ? mark : mark.creationClosed(suspendedAt));
    }

    private BackupReader.Contents write(String name, BackupSource source, Instant startedAt, Instant suspendedAt)
            throws IOException {
        ImportsDuringBackup imports = new ImportsDuringBackup(startedAt);
        try (RowTransactions<BackupRow> transactions = new RowTransactions<>(Function.identity(), this::put);
                InputStream in = source.open()) {
            BackupReader.Contents contents = BackupReader.read(name, in, row -> {
                imports.look(row);
                RestoredRows.of(row, suspendedAt, 0).forEach(restored -> transactions.take(restored, 0));
            });
            transactions.finish();
            imports.complete(tables, () -> {});
            return contents;
        }
    }

    /** Replaces existing rows, except the rows of the index. */
    private void put(List<BackupRow> rows) {
        if (rows.get(0).table().equals(TableNames.SEQUENCES)) {
            tables.insertMissing(rows);
        } else {
            tables.put(rows);
        }
    }

    /**
     * Suspends the service and waits until no instance uses anything that it read before. Returns when the suspension
     * started.
     */
    Instant suspend(Clock time) {
        Instant now = time.now();
        // Reads the mark of this table only: another table may have a mark left over from an earlier, unfinished
        // maintenance.
        Instant already = tables.markOfCounters().suspendedAt();
        Instant since = Objects.requireNonNull(
                tables.changeMark(mark -> mark.suspended(now)).suspendedAt());
        Duration left = Duration.between(now, (already == null ? now : already).plus(Maintenance.HONORED_WITHIN));
        if (!left.isNegative()) {
            time.pause(left);
        }
        return since;
    }

    /**
     * Reads a backup to its end and returns its summary.
     *
     * @throws IOException the backup is not complete, or is not a backup of these tables
     * @throws ProblemException {@code needs-newer-version}: a definition needs a newer release
     */
    public static BackupReader.Contents check(String name, BackupSource source) throws IOException {
        return BackupSurvey.of(name, source).contents();
    }

    private void requireEmptyUnless(boolean over) {
        if (!over) {
            requireEmpty(TableNames.COUNTERS);
            requireEmpty(TableNames.BATCHES);
        }
    }

    /** Refuses a table that contains any row. */
    private void requireEmpty(String table) {
        tables.first(table).ifPresent(row -> {
            throw new IllegalStateException("The table " + table
                    + " is not empty: its first row is " + row.rowKey() + " of " + row.partitionKey()
                    + ". Restore into an account without " + TableNames.COUNTERS + " and " + TableNames.BATCHES
                    + ", or delete these two tables (not " + TableNames.SEQUENCES + ") and wait a minute."
                    + " To continue an interrupted restore of the same backup, add --over-rows.");
        });
    }
}
