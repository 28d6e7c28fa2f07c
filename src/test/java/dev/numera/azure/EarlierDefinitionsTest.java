package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.Revision;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.StoreFailure;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions that another version wrote, or reads while both versions run during a deployment. */
class EarlierDefinitionsTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final LocalDate TODAY = LocalDate.of(2040, 6, 1);
    private static final String UNSET = "timeZoneUnset";

    private static TableEntity row(ZoneId zone) {
        FixedFields fixed = new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, zone, 1);
        return DefinitionRows.write(Sequence.first(NAME, new Definition(fixed, 1, 999, 100, "A{n}"), TODAY));
    }

    private static Sequence read(TableEntity row) {
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

    /**
     * Earlier versions stored the numbers that each format may have been used for; the first format covers the declared
     * range.
     */
    @Test
    void theOnlyFormatOfAnEarlierVersionHasTheDeclaredRange() {
        assertEquals(
                List.of(new Revision("A{n}", 1, 999, 999)),
                read(row(null).addProperty("formats0", "[[\"A{n}\",100,999,999]]"))
                        .formats()
                        .revisions());
        assertEquals(
                List.of(new Revision("A{n}", 1, 500, 999), new Revision("B{n}", 100, 999, 999)),
                read(row(null).addProperty("formats0", "[[\"A{n}\",1,500,999],[\"B{n}\",100,999,999]]"))
                        .formats()
                        .revisions());
    }

    /** Earlier versions stored a reversed format with the number that was next when the format was declared. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[['{r:5}',101,500,999],['A{n}',501,999,999]] | 2",
                "[['A{n}',1,500,999],['{r:5}',501,600,999],['B{n}',601,999,999]] | 3",
                "[['{r:5}',101,999,999]] | 0"
            })
    void aReversedFormatOfAnEarlierVersionThatIsNotThePresentOneIsRead(String formats, int current) {
        TableEntity row = row(null)
                .addProperty("formats0", formats.replace("'", "\""))
                .addProperty("formatRevision", current)
                .addProperty("format", current == 0 ? "" : current == 2 ? "A{n}" : "B{n}");

        assertTrue(read(row)
                .formats()
                .revisions()
                .contains(new Revision(
                        "{r:5}", current == 3 ? 501 : 101, current == 0 ? 999 : current == 2 ? 500 : 600, 999)));
    }

    @Test
    void theHundredYearsOfTwoDigitsAreStored() {
        TableEntity row = row(null);
        assertEquals(2089, read(row).twoDigitYearsUntil());

        row.getProperties().remove("twoDigitYearsUntil");
        assertEquals(2075, read(row).twoDigitYearsUntil());
        assertThrows(StoreFailure.class, () -> read(row.addProperty("twoDigitYearsUntil", 99)));
        assertThrows(StoreFailure.class, () -> read(row.addProperty("twoDigitYearsUntil", 10_000)));
    }

    /** The earlier version does not know the mark, so its merge leaves the mark in the row. */
    @Test
    void aZoneThatAnEarlierVersionSetsHolds() {
        TableEntity row = row(null).addProperty("timeZone", "Asia/Tokyo");

        assertEquals(ZoneId.of("Asia/Tokyo"), zone(row));
    }
}
