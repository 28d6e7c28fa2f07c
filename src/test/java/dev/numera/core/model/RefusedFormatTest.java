package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.Format;
import dev.numera.core.format.Period;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The message of a refused format or date ends in one full stop, whichever class refused it. */
class RefusedFormatTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\t{n}",
                "{n",
                "{n}}",
                "{x}{n}",
                "{n:0}",
                "{n}{n}",
                "{r}",
                "{r:2}",
                "{n}{check:crc}",
                "{check:luhn}{n}",
                "{n}{check:luhn}{check:luhn}",
                "{gggg}{MM}{n}",
                "{yyyy}{ww}{n}",
                "{fy:2-2}{n}",
                "{scope:6}{n}",
                "{scope}{name}{scope}{name}{n}"
            })
    void format(String format) {
        assertReported(refused(
                DefinitionDraft.EMPTY.with(DefinitionField.TIME_ZONE, "UTC").with(DefinitionField.FORMAT, format)));
    }

    @Test
    void tooLongFormat() {
        String format = "x".repeat(Format.MAX_TEMPLATE_LENGTH) + "{n}";
        assertReported(refused(
                DefinitionDraft.EMPTY.with(DefinitionField.TIME_ZONE, "UTC").with(DefinitionField.FORMAT, format)));
    }

    @Test
    void withAnotherField() {
        DefinitionDraft draft = DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "");
        ProblemException refusal = refused(draft.with(DefinitionField.MAX_LENGTH, 0));

        assertEquals(
                "format the template has no number: put {n}, {n:6} or {r:10} into it (and 1 more).",
                refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0000-12-31, 1", "2026-01-01, 13"})
    void period(LocalDate date, int fiscalYearStart) {
        ProblemException refusal = assertThrows(
                ProblemException.class, () -> Period.of(date, ResetEvery.YEAR, YearStart.ofMonth(fiscalYearStart)));

        assertReported(refusal);
    }

    private static ProblemException refused(DefinitionDraft draft) {
        return assertThrows(ProblemException.class, () -> draft.complete(NAME, NOW));
    }

    private static void assertReported(ProblemException refusal) {
        String detail = refusal.getMessage();
        assertEquals(ProblemType.INVALID_REQUEST, refusal.type(), detail);
        assertTrue(detail.endsWith(".") && !detail.endsWith(".."), detail);
    }
}
