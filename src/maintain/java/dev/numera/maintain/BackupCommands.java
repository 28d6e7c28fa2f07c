package dev.numera.maintain;

import dev.numera.azure.StorageConnection;
import dev.numera.azure.backup.TableExport;
import dev.numera.core.retry.Clock;
import dev.numera.maintain.restore.BackupReader;
import dev.numera.maintain.restore.TableRestore;
import java.io.IOException;
import java.util.List;

/** The commands that write, check and restore a backup. Each returns the lines to print. */
final class BackupCommands {
    private BackupCommands() {}

    static List<String> export(BackupLocation location, StorageConnection connection) throws IOException {
        long rows = location.export(new TableExport(connection));
        return List.of(rows + " rows exported to " + location + ".");
    }

    static List<String> check(BackupLocation location) throws IOException {
        BackupReader.Contents backup = TableRestore.check(location.toString(), location::open);
        return List.of(location + " is complete: " + backup.rows() + " rows, started at " + backup.startedAt() + ".");
    }

    static List<String> restore(BackupLocation location, boolean isOver, StorageConnection connection, Clock time)
            throws IOException {
        BackupReader.Contents backup =
                new TableRestore(connection).importFrom(location.toString(), location::open, isOver, time);
        return List.of(
                backup.rows() + " rows restored from " + location + ".",
                "Next: 1. Run advance MARGIN while all sequences are suspended. MARGIN must be larger than the count of numbers"
                        + " that any sequence allocated since the backup started at " + backup.startedAt()
                        + ". 2. Run resume " + ServiceCommands.ALL
                        + ". See docs/operations.md.");
    }
}
