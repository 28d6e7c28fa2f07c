package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.model.Definition;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A format that is removed and later declared again, with the range changed meanwhile, each step stored and read. */
class StoredFormatsTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final LocalDate TODAY = LocalDate.of(2040, 6, 1);

    private static Definition definition(String format, long maxValue) {
        FixedFields fixed = new FixedFields(Guarantee.STRICT, 1, 1, false, ResetEvery.NEVER, null, 1);
        return new Definition(fixed, 1, maxValue, 100, format);
    }

    private static Sequence stored(Sequence sequence) {
        return DefinitionAsStored.of(sequence, "version");
    }

    private static Sequence inUse(String format, long maxValue) {
        return stored(Sequence.first(NAME, definition(format, maxValue), TODAY).inUse());
    }

    /**
     * Removes the format, then changes the range. The second step once moved the maxValue from which the texts of the
     * removed format count down.
     */
    private static Sequence withoutFormat(Sequence before, long thenMaxValue) {
        long maxValue = before.definition().maxValue();
        Sequence without = stored(before.changedTo(definition(null, maxValue)));
        return stored(without.changedTo(definition(null, thenMaxValue)));
    }

    @Test
    void aReversedFormatCannotComeBackToCountFromAnotherEnd() {
        Sequence without = withoutFormat(inUse("{r:6}", 999), 1_999);

        Sequence again = stored(without.changedTo(definition("{r:6}", 1_999)));

        assertEquals(
                ProblemType.TEXTS_COULD_REPEAT,
                assertThrows(ProblemException.class, () -> again.formats()
                                .requireDistinctTexts(NAME, again.definition()))
                        .type());
    }

    /** Older instances would start the year on the first of April, or could not read the period. */
    @ParameterizedTest
    @CsvSource({"YEAR, 4, 1, 1", "YEAR, 4, 6, 6", "NEVER, 1, 28, 6", "QUARTER, 1, 1, 6", "MONTH, 1, 1, 1"})
    void daysOfFiscalYearsAndQuartersRaiseTheFeatureLevel(ResetEvery resetEvery, int month, int day, int needs) {
        FixedFields fixed =
                new FixedFields(Guarantee.STRICT, 1, 1, false, resetEvery, ZoneOffset.UTC, new YearStart(month, day));
        Definition definition = new Definition(fixed, 1, 9, 100, "{yyyy}{MM}{dd}-{n}");
        Sequence stored = stored(Sequence.first(NAME, definition, TODAY));
        assertEquals(definition, stored.definition());
        assertEquals(needs, stored.needs());
    }

    @Test
    void aRowWithoutADayOfTheFiscalYearHasTheFirst() {
        TableEntity row = DefinitionRows.write(inUse("A{n}", 999)).addProperty("odata.etag", "version");
        row.getProperties().remove("fiscalYearStartDay");
        Sequence read = DefinitionRows.read(new StoredRow(TableNames.COUNTERS, row));
        assertEquals(YearStart.NEW_YEAR, read.definition().fixed().fiscalYearStart());
    }

    /** Older instances have to refuse the row, and not only the format, as long as the history has such a format. */
    @ParameterizedTest
    @CsvSource({
        "{n:5}{check:luhn}, 1",
        "{n:5}{check:731}, 6",
        "RF{check:iso11649}{n}, 6",
        "{fy}{q}{n}, 6",
        "{n:3/4}, 6",
        "{n}{check:mod11:2-7:X}, 6"
    })
    void aFormatOfLaterVersionsRaisesTheFeatureLevelForGood(String format, int needs) {
        Sequence before = inUse(format, 99_999);
        assertEquals(needs, before.needs());
        assertEquals(needs, stored(before.changedTo(definition("A{n}", 99_999))).needs());
        assertEquals(1, inUse("A{n}", 99_999).needs());
    }

    @ParameterizedTest
    @CsvSource({"'{r:10}', 2147483647, 9999999999, 2147483646", "'{r:5}', 99999, 999999, 99998"})
    void itsTextsAreReadAsTheyWereWritten(String format, long maxValue, long thenMaxValue, String text) {
        Sequence before = inUse(format, maxValue);
        assertEquals(List.of(text), before.texts().of(TODAY, 1, 1));

        Sequence after = withoutFormat(before, thenMaxValue);

        assertEquals(1, after.texts().read(text).parsed().number());
        assertEquals(text, after.texts().text(1, TODAY, 1));
        assertEquals(before.formats().revisions(), after.formats().revisions());
    }

    /** The row does not prove which format printed the numbers, nor which format prints the next number. */
    @Test
    void aRowWithTwoPresentFormatsIsNotRead() {
        TableEntity row = DefinitionRows.write(inUse("A{n}", 999))
                .addProperty("odata.etag", "version")
                .addProperty("format", "B{n}");

        StoreFailure unreadable =
                assertThrows(StoreFailure.class, () -> DefinitionRows.read(new StoredRow(TableNames.COUNTERS, row)));

        String message = String.valueOf(unreadable.getMessage());
        assertTrue(message.contains(TableNames.COUNTERS), message);
        assertTrue(
                message.contains("property format or formats is wrong: the current revision in formats is A{n}"),
                message);
    }
}
