package dev.numera.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
    private enum Hue {
        OF_TWO_WORDS
    }

    private record Inner(String key, Long number) {}

    private record Outer(Hue kind, Instant at, LocalDate date, Inner before, Inner after, List<Inner> all) {}

    @Test
    void writesTheComponentsOfARecordThatAreNotNull() {
        Outer outer = new Outer(
                Hue.OF_TWO_WORDS,
                Instant.parse("2026-11-21T09:30:00Z"),
                LocalDate.parse("2026-11-21"),
                new Inner(null, 5L),
                null,
                List.of(new Inner("a", Long.MAX_VALUE)));

        assertEquals(
                "{\"kind\":\"of-two-words\",\"at\":\"2026-11-21T09:30:00Z\",\"date\":\"2026-11-21\","
                        + "\"before\":{\"number\":5},\"all\":[{\"key\":\"a\",\"number\":9223372036854775807}]}",
                Json.of(outer).toString());
    }

    @Test
    void keepsTheNullsOfAList() {
        assertEquals("[null,\"null\"]", Json.of(Arrays.asList(null, "null")).toString());
    }

    @Test
    void readsNoMoreTokensThanTheCallerAllows() throws JsonProcessingException {
        assertEquals(3, Json.read("[1, 2, 3]", 5).size());
        assertThrows(StreamConstraintsException.class, () -> Json.read("[1, 2, 3]", 4));
    }

    @Test
    void readsOneValueWithoutRepeatedFieldsWhateverItsLimit() {
        for (String text : List.of("{\"a\": 1, \"a\": 2}", "{} {}", "[1] x")) {
            assertThrows(JsonProcessingException.class, () -> Json.read(text), text);
            assertThrows(JsonProcessingException.class, () -> Json.read(text, 100), text);
        }
    }
}
