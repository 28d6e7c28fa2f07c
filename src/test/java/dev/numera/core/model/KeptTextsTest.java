package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.format.ResetEvery;
import dev.numera.core.format.YearStart;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * A definition that an earlier release accepted under other rules. Changes of other fields leave its texts unchecked,
 * so its owner can still describe it; a change of its texts must follow the present rules.
 */
class KeptTextsTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    /** Repeats its texts: number 1 has the same text in every year. */
    private static final Definition REPEATING = DefinitionDraft.EMPTY
            .with(DefinitionField.FORMAT, "INV-{n:6}")
            .with(DefinitionField.MAX_VALUE, 999_999L)
            .with(DefinitionField.TIME_ZONE, "UTC")
            .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
            .filled();

    private static <T> Definition changed(DefinitionField<T> field, T value) {
        return DefinitionDraft.EMPTY.with(field, value).over(REPEATING).complete(NAME, REPEATING, NOW);
    }

    private static <T> void assertChecked(DefinitionField<T> field, T value) {
        ProblemException refused = assertThrows(ProblemException.class, () -> changed(field, value));
        assertEquals(ProblemType.TEXTS_COULD_REPEAT, refused.type());
    }

    @Test
    void otherFieldsAreChanged() {
        assertEquals("new", changed(DefinitionField.DESCRIPTION, "new").description());
        assertEquals("new", changed(DefinitionField.CONTACT, "new").contact());
        assertEquals(50, changed(DefinitionField.WARN_AT_PERCENT, 50).warnAtPercent());
        assertEquals(7, changed(DefinitionField.CACHE_SIZE, 7).cacheSize());
    }

    @Test
    void textsAreChecked() {
        assertChecked(DefinitionField.FORMAT, "INW-{n:6}");
        assertChecked(DefinitionField.MAX_VALUE, 99_999L);
        assertChecked(DefinitionField.MIN_VALUE, 0L);
        assertChecked(DefinitionField.MAX_LENGTH, 100);
        assertChecked(DefinitionField.TIME_ZONE, "Europe/Berlin");
        assertChecked(DefinitionField.RESET_EVERY, ResetEvery.MONTH);
        assertChecked(DefinitionField.FISCAL_YEAR_START, YearStart.ofMonth(4));
    }

    @Test
    void aNewDefinitionIsChecked() {
        ProblemException refused = assertThrows(
                ProblemException.class, () -> DefinitionDraft.of(REPEATING).complete(NAME, NOW));
        assertEquals(ProblemType.TEXTS_COULD_REPEAT, refused.type());
    }
}
