package dev.numera.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.numera.contract.Defined;
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
        // Written one after the other they read alike.
        assertNotEquals(tag("a, contact=b", "c"), tag("a", "b, contact=c"));
        assertEquals(tag("a", "b"), tag("a", "b"));
    }

    @Test
    void aMarkLeavesTheTagAsItIs() {
        assertEquals(STORED.tag(), STORED.inUse().tag());
        assertEquals(STORED.tag(), STORED.at("W/1").tag());
    }
}
