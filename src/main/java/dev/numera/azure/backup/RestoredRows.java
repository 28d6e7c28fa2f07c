package dev.numera.azure.backup;

import dev.numera.azure.CounterRows;
import dev.numera.azure.DefinitionRows;
import dev.numera.azure.LedgerRows;
import dev.numera.azure.MaintenanceRow;
import dev.numera.azure.RowKeys;
import dev.numera.azure.StoredRow;
import dev.numera.azure.TableNames;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Computes the rows that a restore writes for a row of a backup. Thread-safe. */
public final class RestoredRows {
    private static final Logger LOG = Logger.getLogger(RestoredRows.class.getName());

    private RestoredRows() {}

    /**
     * Returns the rows to write for one row of a backup: the row itself and, for a row by key whose status has one, its
     * mark. A definition is restored as suspended, and a counter so that it must be advanced before it allocates.
     * Returns no rows for the mark of the whole service, which backups of earlier releases contain: the mark at that
     * time is not today's.
     *
     * @param suspendedAt when the maintenance began
     * @param margin how many more numbers a missing counter passes over; 0 if a later step adds them
     */
    public static List<BackupRow> of(BackupRow row, Instant suspendedAt, long margin) {
        if (row.partitionKey().equals(MaintenanceRow.PARTITION)) {
            return List.of();
        }
        BackupRow arriving = arriving(row, suspendedAt, margin);
        return RowKeys.isKey(row.rowKey())
                ? Stream.concat(Stream.of(arriving), markOf(arriving).stream()).toList()
                : List.of(arriving);
    }

    private static BackupRow arriving(BackupRow row, Instant suspendedAt, long margin) {
        boolean isOfSequence = row.table().equals(TableNames.COUNTERS)
                // A template is not suspended: it allocates nothing, and no later step would resume it.
                && !row.partitionKey().startsWith(SequenceName.TEMPLATES + ":");
        if (isOfSequence && row.rowKey().equals(RowKeys.DEFINITION)) {
            return row.with(DefinitionRows.restored(row.properties(), suspendedAt, margin));
        }
        return isOfSequence && RowKeys.isCounter(row.rowKey()) ? row.with(CounterRows.restored(row.properties())) : row;
    }

    /**
     * Returns the mark of a row by key. A row that cannot be read gets none and is restored unchanged; only calls with
     * its key report a problem.
     */
    static Optional<BackupRow> markOf(BackupRow row) {
        try {
            return LedgerRows.markOf(new StoredRow(row.table(), BackupTables.entity(row)))
                    .map(mark -> new BackupRow(row.table(), row.partitionKey(), mark, ofMark(row)));
        } catch (StoreFailure e) {
            LOG.log(
                    Level.WARNING,
                    "A row of the backup is restored without its mark, because it cannot be read: {0}",
                    e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Whether a row is the row by key of a number that was imported at this time or later. A row that cannot be read is
     * not: only calls with its key report a problem.
     */
    public static boolean isImportedSince(BackupRow row, Instant since) {
        boolean isImported = row.table().equals(TableNames.COUNTERS)
                && RowKeys.isKey(row.rowKey())
                && row.partitionKey().indexOf(':') > 0
                && row.properties().get(LedgerRows.IMPORT) instanceof String;
        try {
            return isImported
                    && !LedgerRows.fromKeyRow(new StoredRow(row.table(), BackupTables.entity(row)))
                            .allocatedAt()
                            .isBefore(since);
        } catch (StoreFailure e) {
            LOG.log(
                    Level.WARNING,
                    "An imported row of the backup cannot be read, so its number may be imported again: {0}",
                    e.getMessage());
            return false;
        }
    }

    /**
     * Copies the properties except the operation id, which only the row by key has: it proves that the write was won.
     */
    private static SortedMap<String, Object> ofMark(BackupRow row) {
        SortedMap<String, Object> properties = new TreeMap<>(row.properties());
        properties.remove(LedgerRows.OPERATION_ID);
        return properties;
    }
}
