package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.function.Executable;

/** Compares the results and errors of clients with the expectations of the scenes. */
final class Outcomes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Outcomes() {}

    static void judge(JsonNode scenes, List<String> outcomes) {
        assertEquals(scenes.size(), outcomes.size(), outcomes::toString);
        assertAll(IntStream.range(0, scenes.size()).mapToObj(i -> () -> judge(scenes.get(i), outcomes.get(i))));
    }

    private static void judge(JsonNode scene, String outcome) throws IOException {
        String name = scene.get("scene").asText();
        JsonNode actual = JSON.readTree(outcome);
        List<Executable> checks = new ArrayList<>();
        for (String kind : List.of("result", "problem", "difference", "unavailable", "invalid", "noToken")) {
            checks.add(() -> assertEquals(scene.has(kind), actual.has(kind), name + ": " + outcome));
            checks.add(() -> contains(scene.path(kind), actual.path(kind), name + ": " + kind));
        }
        assertAll(name, checks);
    }

    /**
     * Whether the result contains the expected fields. A field that is expected as null may be missing; further fields
     * are ignored. An expected string that ends with an ellipsis is the start of the actual one.
     */
    private static void contains(JsonNode expected, JsonNode actual, String where) {
        if (expected.isObject()) {
            expected.fields()
                    .forEachRemaining(field ->
                            contains(field.getValue(), actual.path(field.getKey()), where + "." + field.getKey()));
        } else if (expected.isArray()) {
            assertEquals(expected.size(), actual.size(), where);
            IntStream.range(0, expected.size())
                    .forEach(i -> contains(expected.get(i), actual.get(i), where + "[" + i + "]"));
        } else if (expected.asText().endsWith("…")) {
            String start = expected.asText().substring(0, expected.asText().length() - 1);
            assertTrue(actual.asText().startsWith(start), () -> where + ": " + actual);
        } else {
            boolean isMissing = expected.isNull() && actual.isMissingNode();
            assertEquals(isMissing ? actual : expected, actual, where);
        }
    }
}
