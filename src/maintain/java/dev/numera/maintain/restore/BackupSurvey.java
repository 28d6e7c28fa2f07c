package dev.numera.maintain.restore;

import dev.numera.azure.DefinitionRows;
import dev.numera.azure.RowKeys;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupRow;
import dev.numera.core.model.SequenceName;
import java.io.IOException;
import java.io.InputStream;

/**
 * The contents of a complete backup, determined by reading it to its end before a restore changes anything. Immutable.
 *
 * @param sequences how many definitions the backup contains, without templates
 * @param counters how many counters the backup contains
 */
record BackupSurvey(BackupReader.Contents contents, long sequences, long counters) {
    /**
     * Reads a backup to its end. Fails with {@code needs-newer-version} if a definition needs a newer release.
     *
     * @throws IOException the backup is not complete, or is not a backup of these tables
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
