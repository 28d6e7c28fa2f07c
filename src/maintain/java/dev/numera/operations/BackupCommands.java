package dev.numera.operations;

import dev.numera.execution.Clock;
import dev.numera.operations.restore.BackupReader;
import dev.numera.operations.restore.TableRestore;
import dev.numera.storage.StorageConnection;
import dev.numera.storage.TableExport;
import java.io.IOException;
import java.util.List;

/** The commands that write, check and restore a backup; each returns what there is to say. */
final class BackupCommands {
    private BackupCommands() {}

    static List<String> export(Place place, StorageConnection connection) throws IOException {
        long rows = place.export(new TableExport(connection));
        return List.of(rows + " rows exported to " + place + ".");
    }

    static List<String> check(Place place) throws IOException {
        BackupReader.Contents backup = TableRestore.check(place.toString(), place::open);
        return List.of(place + " is whole: " + backup.rows() + " rows, started at " + backup.startedAt() + ".");
    }

    static List<String> restore(Place place, boolean isOver, StorageConnection connection, Clock time)
            throws IOException {
        BackupReader.Contents backup =
                new TableRestore(connection).importFrom(place.toString(), place::open, isOver, time);
        return List.of(
                backup.rows() + " rows restored from " + place + ".",
                "Now advance every sequence by a margin, while all are suspended: advance MARGIN. The backup was started at "
                        + backup.startedAt() + ": the margin must be larger than the count of numbers that any sequence"
                        + " allocated since. Then resume them: resume " + ServiceCommands.ALL
                        + ". See docs/operations.md.");
    }
}
