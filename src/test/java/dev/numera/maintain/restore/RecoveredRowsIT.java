package dev.numera.maintain.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupRow;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.model.Versioned;
import dev.numera.fixtures.SharedAzurite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecoveredRowsIT {
    private final BackupTables tables =
            new BackupTables(StorageConnection.of(Map.of("NumeraStorage", SharedAzurite.emptyAccount())));

    private static BackupRow key(String name, String recovery) {
        return new BackupRow(
                TableNames.COUNTERS,
                "shop:invoice",
                "key:" + name,
                new TreeMap<>(Map.of(RecoveryMark.COLUMN, recovery)));
    }

    private List<Versioned<BackupRow>> stored() {
        List<Versioned<BackupRow>> rows = new ArrayList<>();
        tables.all(TableNames.COUNTERS).forEachRemaining(rows::add);
        return rows;
    }

    /** The machine of the first command slept while its deletion was under way, and another command took over. */
    @Test
    void aLateDeletionSparesTheRowsThatWereRestoredSince() {
        tables.create(TableNames.COUNTERS);
        tables.insertMissing(List.of(key("a", "first"), key("b", "first")));
        List<Versioned<BackupRow>> listed = stored();
        tables.delete(listed);
        assertEquals(List.of(), stored());

        tables.insertMissing(List.of(key("a", "second")));
        tables.delete(listed);

        assertEquals(
                List.of(key("a", "second")),
                stored().stream().map(Versioned::value).toList());
    }
}
