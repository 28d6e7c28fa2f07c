package dev.numera.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    static List<String> exponentsOutOfRange() {
        return List.of(
                "1e99999999999",
                "1e-99999999999",
                "0e99999999999",
                "1e2147483650",
                "-1e-2147483649",
                "1.5e-2147483648",
                "0.1e-2147483647");
    }

    @ParameterizedTest
    @MethodSource("exponentsOutOfRange")
    void refusesAnExponentOutOfRangeAsAnyOtherFlaw(String number) {
        for (String text : List.of(number, "{\"a\": [" + number + "]}")) {
            JsonProcessingException plain = assertThrows(JsonProcessingException.class, () -> Json.read(text), text);
            JsonProcessingException bounded =
                    assertThrows(JsonProcessingException.class, () -> Json.read(text, 100), text);

            assertEquals("a number has an exponent out of range", plain.getOriginalMessage());
            assertEquals("a number has an exponent out of range", bounded.getOriginalMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e2147483647", "-1e-2147483647", "100e2147483647"})
    void readsAnExponentOfThirtyTwoBits(String number) throws JsonProcessingException {
        assertEquals(0, new BigDecimal(number).compareTo(Json.read(number).decimalValue()));
    }
}
