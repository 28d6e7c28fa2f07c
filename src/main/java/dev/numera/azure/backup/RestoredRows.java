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

/** The rows that a restore writes for a row of a backup. Thread-safe. */
public final class RestoredRows {
    private static final Logger LOG = Logger.getLogger(RestoredRows.class.getName());

    private RestoredRows() {}

    /**
     * Returns the rows for one row of a backup, the row itself first: with its mark, for a key's row that has one. A
     * definition arrives suspended, and a counter must be advanced before it allocates. None for the mark of the whole
     * service: an earlier release exported the mark of that time, from other tables than its own.
     *
     * @param suspendedAt when the maintenance began
     */
    public static List<BackupRow> of(BackupRow row, Instant suspendedAt) {
        if (row.partitionKey().equals(MaintenanceRow.PARTITION)) {
            return List.of();
        }
        BackupRow arriving = arriving(row, suspendedAt);
        return RowKeys.isKey(row.rowKey())
                ? Stream.concat(Stream.of(arriving), markOf(arriving).stream()).toList()
                : List.of(arriving);
    }

    private static BackupRow arriving(BackupRow row, Instant suspendedAt) {
        boolean isOfSequence = row.table().equals(TableNames.COUNTERS)
                // A template allocates nothing, so nothing would resume it.
                && !row.partitionKey().startsWith(SequenceName.TEMPLATES + ":");
        if (isOfSequence && row.rowKey().equals(RowKeys.DEFINITION)) {
            return row.with(DefinitionRows.restored(row.properties(), suspendedAt));
        }
        return isOfSequence && RowKeys.isCounter(row.rowKey()) ? row.with(CounterRows.restored(row.properties())) : row;
    }

    /** A row that cannot be read is put back as it was, without a mark: it is the problem of its key. */
    static Optional<BackupRow> markOf(BackupRow row) {
        try {
            return LedgerRows.markOf(new StoredRow(row.table(), BackupTables.entity(row)))
                    .map(mark -> new BackupRow(row.table(), row.partitionKey(), mark, ofMark(row)));
        } catch (StoreFailure e) {
            LOG.log(Level.WARNING, "A row of the backup gets no mark: {0}", e.getMessage());
            return Optional.empty();
        }
    }

    /** That a write was won shows in the row by key alone. */
    private static SortedMap<String, Object> ofMark(BackupRow row) {
        SortedMap<String, Object> properties = new TreeMap<>(row.properties());
        properties.remove(LedgerRows.OPERATION_ID);
        return properties;
    }
}
