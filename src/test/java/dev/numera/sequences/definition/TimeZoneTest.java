package dev.numera.sequences.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On New Year's Eve in Europe and New Year's Day in Asia, numbers get the date of the sequence's time zone. */
class TimeZoneTest {
    private static final SequenceName NAME = new SequenceName("shop", "invoice");
    private static final Instant NEW_YEARS_EVE = Instant.parse("2026-12-31T18:00:00Z");

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final Sequences sequences =
            TestSequences.over(table).with(TestClock.standing(NEW_YEARS_EVE)).start();

    private void create(SequenceName name, DefinitionDraft draft) {
        sequences.editor().put(name, draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private void patch(DefinitionDraft draft) {
        sequences.editor().patch(NAME, draft, Precondition.PRESENT, ChangeNote.NONE);
    }

    private PrintedAllocation next() {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow();
    }

    private String zone() {
        return DefinitionField.TIME_ZONE.of(sequences.editor().get(NAME).definition());
    }

    private static DefinitionDraft zoned(DefinitionDraft draft, String zone) {
        return draft.with(DefinitionField.TIME_ZONE, zone);
    }

    private static DefinitionDraft resetting(ResetEvery period) {
        return DefinitionDraft.EMPTY.with(DefinitionField.RESET_EVERY, period);
    }

    private static DefinitionDraft written(String format) {
        return DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, format);
    }

    private void assertRequired(SequenceName name, DefinitionDraft draft, String why) {
        ProblemException refused = assertThrows(ProblemException.class, () -> create(name, draft));
        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
        assertEquals(
                List.of(Map.of(
                        "field",
                        "timeZone",
                        "reason",
                        "is required because " + why
                                + ", and is fixed from the first number on: name the zone in which days start, such as"
                                + " Europe/Berlin, or UTC")),
                refused.members().get("errors"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NEVER")
    void whereNumbersRestartAZoneIsRequired(ResetEvery period) {
        String why = "numbers restart every " + period.name().toLowerCase(Locale.ROOT);

        assertRequired(NAME, resetting(period), why);
        assertRequired(NAME.template(), resetting(period), why);
        create(NAME, zoned(resetting(period), "UTC"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INV-{yyyy}-{n:6}", "{yy}{n}", "{DDD}/{n}", "{gggg}{ww}-{n}", "{fy}-{n}", "{fy:2}-{n}"})
    void whereTextsShowADateAZoneIsRequired(String format) {
        String why = "texts of the format " + format + " show a date";

        assertRequired(NAME, written(format), why);
        assertRequired(NAME, written(format).with(DefinitionField.GUARANTEE, Guarantee.SNOWFLAKE), why);
        create(NAME, zoned(written(format), "UTC"));
    }

    @Test
    void whereADateDecidesOnNothingNoZoneIsRequired() {
        create(NAME, written("{scope}-{n:6}{check:luhn}"));

        assertNull(zone());
        next();
        assertNull(zone());
    }

    @Test
    void aZoneThatWasNeverStatedIsSetOnce() {
        create(NAME, written("A{n}"));
        next();
        patch(zoned(DefinitionDraft.EMPTY, "Asia/Tokyo"));

        assertEquals("Asia/Tokyo", zone());
        for (String other : new String[] {"Europe/Berlin", "UTC", null}) {
            ProblemException fixed =
                    assertThrows(ProblemException.class, () -> patch(zoned(DefinitionDraft.EMPTY, other)));
            assertEquals(List.of("timeZone"), fixed.members().get("fields"));
        }
    }

    @Test
    void aFormatThatComesToShowADateBringsTheZoneWithIt() {
        create(NAME, written("A{n}"));
        next();

        assertThrows(ProblemException.class, () -> patch(written("{yyyy}-{n}")));
        patch(zoned(written("{yyyy}-{n}"), "Asia/Tokyo"));

        assertEquals(List.of("2027-2"), next().texts());
    }

    /** The existing numbers have dates in UTC. */
    @Test
    void utcThatWasStatedIsFixed() {
        create(NAME, zoned(DefinitionDraft.EMPTY, "UTC"));
        next();

        assertThrows(ProblemException.class, () -> patch(zoned(DefinitionDraft.EMPTY, "Asia/Tokyo")));
    }
}
