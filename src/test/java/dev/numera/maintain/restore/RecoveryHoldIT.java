package dev.numera.maintain.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.azure.RecoveryMark;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestClock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecoveryHoldIT {
    private final TestClock clock = TestClock.alone();

    private RecoveryMark first(String backup) {
        RecoveryMark.Source source = new RecoveryMark.Source(backup, backup, "checksum", 1_000, clock.now());
        return new RecoveryMark(source, RecoveryMark.Stage.RESTORING, null, 0, "", "", clock.now(), null);
    }

    /** Both commands found no mark, so neither of them watched the other one. */
    @Test
    void ofTwoCommandsThatStartTogetherOneNamesTheOther() {
        BackupTables tables =
                new BackupTables(StorageConnection.of(Map.of("NumeraStorage", SharedAzurite.emptyAccount())));
        tables.create(TableNames.COUNTERS);
        try (RecoveryHold hold = RecoveryHold.take(tables, clock, first("early.jsonl.gz"))) {
            StoreFailure refused =
                    assertThrows(StoreFailure.class, () -> RecoveryHold.take(tables, clock, first("late.jsonl.gz")));
            assertEquals(
                    "Another process has taken the recovery over: "
                            + hold.mark().holder()
                            + ", with the backup early.jsonl.gz. Wait for it, or stop it and run this command again.",
                    refused.getMessage());
        }
    }
}
