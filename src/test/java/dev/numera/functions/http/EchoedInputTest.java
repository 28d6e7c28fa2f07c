package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.App;
import dev.numera.functions.http.lists.ListBody;
import dev.numera.functions.http.sequence.SequenceFunctions;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.json.RequestBody;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A caller's input in the text of a problem: it is cut to a length that a person can read. */
class EchoedInputTest {
    private static final int MAX_ERRORS = 20;
    private static final int MAX_UNITS = 2_000;
    private static final String LONG = "x".repeat(8_000);
    private static final SequenceName ORDERS = new SequenceName("App1", "order");

    @Test
    void aQueryOfThousandsOfWrongParametersHasTwentyErrors() {
        String query = "/api/health?" + "a&".repeat(4_000);

        JsonNode problem = refusal(() -> Query.of(request(query, null, null), Set.of()));

        assertEquals(MAX_ERRORS, problem.at("/errors").size());
        assertEquals(
                "a is no parameter of this call: it has none (and 3999 more).",
                problem.at("/detail").asText());
        assertTrue(problem.toString().length() < 2 * MAX_UNITS, problem::toString);
    }

    @Test
    void aDefinitionOfHundredsOfUnknownFieldsHasTwentyErrors() throws Exception {
        String body =
                IntStream.range(0, 500).mapToObj(i -> "\"a" + i + "\": 1").collect(Collectors.joining(", ", "{", "}"));

        Object answer = new SequenceFunctions(mock(App.class))
                .putDefinition(request("/api/sequences/a/b", body, "application/json"), "a", "b")
                .getBody();

        assertEquals(MAX_ERRORS, Json.read(answer.toString()).at("/errors").size());
    }

    @Test
    void aLongNameOfAParameterIsShortened() {
        JsonNode problem = refusal(() -> Query.of(request("/api/health?" + LONG, null, null), Set.of()));

        assertEquals("x".repeat(40) + "...", problem.at("/errors/0/field").asText());
        assertShort(problem);
    }

    @Test
    void aPairOfSurrogatesIsNotCut() {
        String name = "x".repeat(39) + "\ud83d\ude00" + "y";

        ProblemException refused = InvalidRequest.because(name, "is wrong");

        assertEquals("x".repeat(39) + "... is wrong.", refused.getMessage());
    }

    @Test
    void aLongTypeOfABodyIsShortened() {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            HttpCall call = Requests.call(request("/api/x", "{}", LONG), share);
            assertShort(refusal(() -> call.object(HttpCall.MAX_CALL_UNITS)));
            assertShort(refusal(() -> ListBody.ofKeys(call, ORDERS, call.query(), Optional::empty, () -> false)));
        }
    }

    @Test
    void aLongNameOfAFieldIsShortened() {
        assertShort(refusal(() -> RequestBody.object("{\"" + LONG + "\": 1, \"" + LONG + "\": 1}", 10_000)));
        assertShort(refusal(() -> RequestBody.object("{" + LONG + ": 1}", 10_000)));
        assertShort(refusal(
                () -> RequestBody.requireFields(RequestBody.object("{\"" + LONG + "\": 1}", 10_000), Set.of("a"))));
    }

    @Test
    void aLongIdIsShortened() {
        for (Upload.Kind kind : Upload.Kind.values()) {
            assertShort(Fields.of(Uploads.unknown(kind, LONG)));
        }
    }

    private static void assertShort(JsonNode problem) {
        assertTrue(
                problem.toString().length() < MAX_UNITS,
                () -> problem.toString().length() + " characters");
    }

    private static JsonNode refusal(Executable call) {
        return Fields.of(assertThrows(ProblemException.class, call));
    }

    private static HttpRequestMessage<Optional<String>> request(String target, String body, String contentType) {
        return Requests.of(target, body, contentType == null ? Map.of() : Map.of("content-type", contentType));
    }
}
