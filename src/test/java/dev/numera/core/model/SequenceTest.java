package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Defined;
import dev.numera.core.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class SequenceTest {
    private static final SequenceName NAME = new SequenceName("App1", "invoice");
    private static final Sequence STORED = Sequence.first(NAME, described(null, null), LocalDate.of(2026, 11, 23));

    private static Definition described(String description, String contact) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.DESCRIPTION, description)
                .with(DefinitionField.CONTACT, contact)
                .complete(NAME, Instant.parse("2026-11-23T12:00:00Z"));
    }

    private static String tag(String description, String contact) {
        Definition definition = described(description, contact);
        return Defined.stored(NAME, STORED.id(), definition, STORED.formats(), false, null, null)
                .tag();
    }

    @Test
    void twoDefinitionsHaveTwoTags() {
        assertNotEquals(tag("a", "b"), tag("b", "a"));
        assertNotEquals(tag(null, "b"), tag("null", "b"));
        // The two definitions read alike when their fields are written one after the other.
        assertNotEquals(tag("a, contact=b", "c"), tag("a", "b, contact=c"));
        assertEquals(tag("a", "b"), tag("a", "b"));
    }

    @Test
    void aMarkLeavesTheTagAsItIs() {
        assertEquals(STORED.tag(), STORED.inUse().tag());
        assertEquals(STORED.tag(), STORED.at("W/1").tag());
    }

    /** A block may come from an instance that knows a wider range and another format. */
    @Test
    void theFormatIsForNumbersOfTheDeclaredRangeAlone() {
        Definition definition = DefinitionDraft.EMPTY
                .with(DefinitionField.MAX_VALUE, 999L)
                .with(DefinitionField.FORMAT, "1{n:3}")
                .complete(NAME, Instant.parse("2026-11-23T12:00:00Z"));
        Sequence sequence = Sequence.first(NAME, definition, LocalDate.of(2026, 11, 23));

        assertTrue(sequence.texts().canWrite(990, 10));
        assertFalse(sequence.texts().canWrite(990, 11));
        assertFalse(sequence.texts().canWrite(1_099, 1));
    }

    private static ProblemException unreadable(Sequence sequence, String text) {
        return assertThrows(ProblemException.class, () -> sequence.texts().read(text));
    }

    @Test
    void textOfANumberBetweenTheIncrementsIsOfNone() {
        Definition definition = DefinitionDraft.EMPTY
                .with(DefinitionField.START, 3L)
                .with(DefinitionField.INCREMENT, 5L)
                .with(DefinitionField.FORMAT, "A{n:4}")
                .complete(NAME, Instant.parse("2026-11-23T12:00:00Z"));
        Sequence sequence = Sequence.first(NAME, definition, LocalDate.of(2026, 11, 23));

        assertEquals(8, sequence.texts().read("A0008").parsed().number());
        assertEquals(
                "Expected 3 or a number whole increments of 5 before or after it, not 4.",
                unreadable(sequence, "A0004").getMessage());
    }

    /** The newest format expects another letter at the first character, in a text that an earlier format printed. */
    @Test
    void whatIsExpectedIsOfTheFormatThatReadsMost() {
        Sequence sequence = Sequence.first(NAME, formatted("a{n}"), LocalDate.of(2026, 11, 23))
                .inUse();
        sequence = sequence.changedTo(formatted("A1{n}"));

        assertEquals(10, sequence.texts().read("a10").parsed().number());
        assertEquals(
                "Expected a number without leading zeros at character 4, but found ' '.",
                unreadable(sequence, "a10 ").getMessage());
    }

    private static Definition formatted(String format) {
        return DefinitionDraft.EMPTY
                .with(DefinitionField.FORMAT, format)
                .complete(NAME, Instant.parse("2026-11-23T12:00:00Z"));
    }
}
