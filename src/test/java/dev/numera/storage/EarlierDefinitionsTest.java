package dev.numera.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.models.TableEntity;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.definition.Definition;
import dev.numera.definition.StoredDefinition;
import dev.numera.format.ResetEvery;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Definitions that an earlier version wrote, or will read beside this one during a deployment. */
class EarlierDefinitionsTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final String UNSET = "timeZoneUnset";

    private static TableEntity row(ZoneId zone) {
        FixedFields fixed = new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, zone, 1);
        return DefinitionRows.write(StoredDefinition.first(NAME, new Definition(fixed, 1, 999, 100, "A{n}")));
    }

    private static StoredDefinition read(TableEntity row) {
        row.addProperty("odata.etag", "version");
        return DefinitionRows.read(new StoredRow(TableNames.COUNTERS, row));
    }

    private static ZoneId zone(TableEntity row) {
        return read(row).definition().fixed().timeZone();
    }

    @Test
    void aZoneThatWasNeverStatedIsReadBackAsThatAndAsUtcByEarlierVersions() {
        TableEntity row = row(null);

        assertEquals(null, zone(row));
        assertEquals("UTC", row.getProperty("timeZone"));
        assertEquals(ZoneId.of("UTC"), zone(row(ZoneId.of("UTC"))));
    }

    /** Earlier versions had UTC by default: their numbers have its dates. */
    @Test
    void aRowOfAnEarlierVersionKeepsUtc() {
        TableEntity row = row(null);
        row.getProperties().remove(UNSET);

        assertEquals(ZoneId.of("UTC"), zone(row));
    }

    /** It does not know the mark, and its merge leaves it. */
    @Test
    void aZoneThatAnEarlierVersionSetsHolds() {
        TableEntity row = row(null).addProperty("timeZone", "Asia/Tokyo");

        assertEquals(ZoneId.of("Asia/Tokyo"), zone(row));
    }
}
