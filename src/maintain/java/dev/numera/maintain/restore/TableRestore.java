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
import java.util.Objects;

/**
 * Puts a backup into the tables. Holds some transactions at a time, however many rows there are. Requests that fail for
 * a moment are sent again; a call blocks for as long as the backup is large. Thread-safe.
 */
public final class TableRestore {
    /** What is read twice: once to see that it is whole, once to act upon it. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    private final BackupTables tables;

    /** @throws ProblemException {@code misconfigured}: the connection cannot be used */
    public TableRestore(StorageConnection connection) {
        this.tables = new BackupTables(connection);
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
        tables.create(TableNames.COUNTERS);
        tables.create(TableNames.BATCHES);
        // Before, so that a service that is not to be restored is not suspended; and when no instance writes any more.
        requireEmptyUnless(over);
        Instant suspendedAt = suspend(time);
        TableNames.ALL.forEach(tables::create);
        requireEmptyUnless(over);
        boolean isIndexed = tables.first(TableNames.SEQUENCES).isPresent();
        // An attempt over rows, too: the one before it may have been interrupted ahead of this mark. Where nothing
        // changes, the tables that were made just now get the mark of the others.
        tables.changeMark(mark -> isIndexed ? mark : mark.creationClosed(suspendedAt));
        return write(name, source, isIndexed, suspendedAt);
    }

    private BackupReader.Contents write(String name, Source source, boolean isIndexed, Instant suspendedAt)
            throws IOException {
        try (RowPutter putter = new RowPutter(tables);
                InputStream in = source.open()) {
            BackupReader.Contents contents = BackupReader.read(name, in, row -> {
                for (BackupRow restored : RestoredRows.of(row, suspendedAt)) {
                    if (isIndexed && restored.table().equals(TableNames.SEQUENCES)) {
                        // A row that is there may be of a later definition.
                        tables.insert(restored);
                    } else {
                        putter.take(restored);
                    }
                }
            });
            putter.finish();
            return contents;
        }
    }

    /** Returns when no instance works any more by what it read before the service was suspended. */
    private Instant suspend(Clock time) {
        Instant now = time.now();
        // The mark of another place may be left from an earlier maintenance that did not end there.
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
     * Reads a backup to its end; returns what it holds.
     *
     * @throws IOException it is no whole backup of these tables
     */
    public static BackupReader.Contents check(String name, Source source) throws IOException {
        try (InputStream in = source.open()) {
            return BackupReader.read(name, in, row -> requireKnown(row.table()));
        }
    }

    private static void requireKnown(String table) {
        if (!TableNames.ALL.contains(table)) {
            throw new IllegalArgumentException(
                    "The backup has rows of a table " + table + ", which is none of " + TableNames.ALL + ".");
        }
    }

    private void requireEmptyUnless(boolean over) {
        if (!over) {
            requireEmpty(TableNames.COUNTERS);
            requireEmpty(TableNames.BATCHES);
        }
    }

    /** Any row makes a table a full one. */
    private void requireEmpty(String table) {
        tables.first(table).ifPresent(row -> {
            throw new IllegalStateException("The table " + table
                    + " is not empty. Restore into an account without "
                    + TableNames.COUNTERS + " and " + TableNames.BATCHES + ", or delete these tables first and wait a"
                    + " minute; " + TableNames.SEQUENCES
                    + " stays. Only to go on with a restore of the same backup that"
                    + " broke off, say --over-rows. Its first row is " + row.rowKey() + " of "
                    + row.partitionKey() + ".");
        });
    }
}
