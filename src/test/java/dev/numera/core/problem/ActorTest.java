package dev.numera.core.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActorTest {
    @ParameterizedTest
    @CsvSource({"Anna Berg, aad:8c1e", "Anna Berg,", ", aad:8c1e", ","})
    void nameAndIdAreReadAsTheyWereStored(String name, String id) {
        String stored = Actor.of(name, id);
        assertEquals(name, Actor.name(stored));
        assertEquals(id, Actor.id(stored));
        assertTrue(stored == null || Actor.isStored(stored, 100));
    }

    @Test
    void anActorOfAnEarlierVersionHasNoId() {
        assertEquals("anna", Actor.of("anna", null));
        assertEquals("anna", Actor.name("anna"));
        assertNull(Actor.id("anna"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\u001F", "anna\u001F", "anna\u001Fa b", "anna\u001Fa\u001Fb", " anna\u001Fa", "a\u0001"})
    void aRowWithAnotherFormIsNoActor(String stored) {
        assertFalse(Actor.isStored(stored, 100));
    }
}
