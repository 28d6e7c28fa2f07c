package dev.numera.maintain.restore;

import dev.numera.azure.DefinitionRows;
import dev.numera.azure.RowKeys;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupRow;
import dev.numera.core.model.SequenceName;
import java.io.IOException;
import java.io.InputStream;

/**
 * What reading a backup to its end shows, before anything is changed. Immutable.
 *
 * @param sequences how many definitions it has, templates left out
 * @param counters how many counters
 */
record BackupSurvey(BackupReader.Contents contents, long sequences, long counters) {
    /**
     * Reads a backup to its end.
     *
     * @throws IOException it is not a complete backup of these tables, or has a definition that needs a newer release
     */
    static BackupSurvey of(String name, BackupSource source) throws IOException {
        Counting counting = new Counting();
        try (InputStream in = source.open()) {
            BackupReader.Contents contents = BackupReader.read(name, in, counting::take);
            return new BackupSurvey(contents, counting.sequences, counting.counters);
        }
    }

    private static final class Counting {
        private long sequences;
        private long counters;

        void take(BackupRow row) {
            if (!TableNames.ALL.contains(row.table())) {
                throw new IllegalArgumentException(
                        "The backup has rows of a table " + row.table() + ", which is none of " + TableNames.ALL + ".");
            }
            if (!row.table().equals(TableNames.COUNTERS)) {
                return;
            }
            if (row.rowKey().equals(RowKeys.DEFINITION)) {
                DefinitionRows.requireKnown(row.partitionKey(), row.properties());
                sequences += row.partitionKey().startsWith(SequenceName.TEMPLATES + ":") ? 0 : 1;
            } else if (RowKeys.isCounter(row.rowKey())) {
                counters++;
            }
        }
    }
}
