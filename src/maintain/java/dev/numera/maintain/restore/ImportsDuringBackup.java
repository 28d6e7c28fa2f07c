package dev.numera.maintain.restore;

import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.azure.backup.RestoredRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers that were imported while a backup was made. A backup contains the rows in number order before the rows by
 * key, so it may have the row by key of such a number, but not its row in number order. Another key could then be
 * imported for the same number. Not thread-safe.
 */
final class ImportsDuringBackup {
    /** The most that the clocks of the instances and of the program that made the backup may differ. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(10);

    private final Instant since;
    private final List<BackupRow> keys = new ArrayList<>();

    /** @param startedAt when the backup was started */
    ImportsDuringBackup(Instant startedAt) {
        this.since = startedAt.minus(CLOCKS_DIFFER);
    }

    /** Remembers the row if it is the row by key of such a number. */
    void look(BackupRow row) {
        if (RestoredRows.isImportedSince(row, since)) {
            keys.add(row);
        }
    }

    /**
     * Adds the missing rows in number order. Call after all rows are restored. Blocks for one or two requests for each
     * number.
     *
     * @param before runs before each number
     */
    void complete(BackupTables tables, Runnable before) {
        for (BackupRow key : keys) {
            before.run();
            tables.completeNumberOrder(key);
        }
    }
}
