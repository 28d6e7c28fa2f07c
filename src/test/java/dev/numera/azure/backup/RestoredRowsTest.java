package dev.numera.azure.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.LedgerRows;
import dev.numera.azure.TableNames;
import dev.numera.contract.Allocations;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Status;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The rows that a restore derives from a row by key. */
class RestoredRowsTest {
    private static final String PARTITION = "App1:order";

    private static BackupRow row(TableEntity entity) {
        SortedMap<String, Object> properties = new TreeMap<>(entity.getProperties());
        properties.remove("PartitionKey");
        properties.remove("RowKey");
        return new BackupRow(TableNames.COUNTERS, entity.getPartitionKey(), entity.getRowKey(), properties);
    }

    @Test
    void theMarkIsTheOneThatTheAppWrites() {
        Allocation reserved = Allocations.of(
                "key",
                7,
                7,
                1,
                "2026",
                LocalDate.of(2026, 11, 24),
                null,
                0,
                Instant.EPOCH,
                true,
                Status.reserved(Instant.EPOCH, "anna"),
                null);

        assertEquals(
                Optional.of(row(LedgerRows.mark(PARTITION, reserved))),
                RestoredRows.markOf(row(LedgerRows.byKey(PARTITION, reserved, "op"))));
    }
}
