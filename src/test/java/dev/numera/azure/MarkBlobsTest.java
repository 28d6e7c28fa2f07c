package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.retry.StoreFailure;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the mark of the whole service from blobs of the backup container, right and wrong ones. */
class MarkBlobsTest {
    private static final String NAME = "service-mark/000007.json";
    private static final String TIME = "2026-11-21T10:00:00Z";

    @Test
    void aTimeThatIsMissingOrEmptyIsNone() {
        assertEquals(MaintenanceMark.NONE, MarkBlobs.mark(NAME, "{}"));
        assertEquals(MaintenanceMark.NONE, MarkBlobs.mark(NAME, "{\"since\":\"\",\"creationClosedAt\":\"\"}"));
        assertEquals(
                new MaintenanceMark(Instant.parse(TIME), null),
                MarkBlobs.mark(NAME, "{\"since\":\"" + TIME + "\",\"creationClosedAt\":\"\"}"));
        assertEquals(
                new MaintenanceMark(null, Instant.parse(TIME)),
                MarkBlobs.mark(NAME, "{\"creationClosedAt\":\"" + TIME + "\"}"));
    }

    /** If one of these passed as no mark, creation would open while the tables are being restored. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"since\":5}                 | mark.since must be a string, not 5",
                "{\"since\":null}              | mark.since must be a string, not null",
                "{\"since\":[]}                | mark.since must be a string, not []",
                "{\"creationClosedAt\":false}  | mark.creationClosedAt must be a string, not false",
                "{\"creationClosedAt\":{}}     | mark.creationClosedAt must be a string, not {}",
                "{\"since\":\"yesterday\"}     | mark.since must be a time such as 2026-11-21T09:30:00Z, not \"yesterday\"",
                "[]                          | mark must be an object, not []",
                "5                           | mark must be an object, not 5",
                "{\"since\":                   | mark is no JSON"
            })
    void aMarkOfAnotherTypeIsRefusedWithItsName(String text, String why) {
        StoreFailure refusal = assertThrows(StoreFailure.class, () -> MarkBlobs.mark(NAME, text));

        assertEquals(
                "The blob " + NAME + " of the container numera-backups was written by another program and cannot be"
                        + " read: " + why + ". See docs/tables.md.",
                refusal.getMessage());
        assertFalse(refusal.isWorthRetrying());
    }
}
