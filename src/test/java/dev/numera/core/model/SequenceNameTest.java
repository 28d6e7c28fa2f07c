package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "Z",
                "0",
                "App1",
                "a.b_c~d-e",
                "0123456789012345678901234567890123456789012345678901234567890ab"
            })
    void takesUpTo63SafeCharacters(String part) {
        assertEquals(part, new SequenceName(part, "x").scope());
        assertEquals(part, new SequenceName("x", part).name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-a",
                ".a",
                "_a",
                "~a",
                "a b",
                "a/b",
                "a:b",
                "a%62",
                "ä",
                "a\n",
                "a\u0000",
                "１",
                "0123456789012345678901234567890123456789012345678901234567890abc"
            })
    void refusesAnythingElseAndNamesTheField(String part) {
        assertRefused("scope", () -> new SequenceName(part, "x"));
        assertRefused("name", () -> new SequenceName("x", part));
    }

    @Test
    void theTemplateScopeIsAScopeButNoName() {
        assertTrue(new SequenceName("~", "invoice").isTemplate());
        assertFalse(new SequenceName("a", "invoice").isTemplate());
        assertEquals(new SequenceName("~", "invoice"), new SequenceName("a", "invoice").template());
        assertRefused("name", () -> new SequenceName("a", "~"));
    }

    @Test
    void aTemplateIsRefusedWhereNumbersAreWanted() {
        new SequenceName("a", "invoice").requireNoTemplate();
        assertRefused("scope", () -> new SequenceName("~", "invoice").requireNoTemplate());
    }

    @Test
    void caseMatters() {
        assertNotEquals(new SequenceName("a", "x"), new SequenceName("A", "x"));
        assertEquals("App1/order", new SequenceName("App1", "order").toString());
    }

    private static void assertRefused(String field, Runnable make) {
        ProblemException problem = assertThrows(ProblemException.class, make::run);
        assertEquals(ProblemType.INVALID_REQUEST, problem.type());
        List<?> errors = (List<?>) problem.members().get("errors");
        assertEquals(field, ((Map<?, ?>) errors.get(0)).get("field"));
    }
}
