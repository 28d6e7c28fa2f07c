package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.functions.App;
import dev.numera.functions.http.AllocateFunction;
import dev.numera.functions.http.Requests;
import dev.numera.functions.http.sequence.SequenceFunctions;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The callers that may create a sequence by requesting its first number when {@code Numera_AutoCreate} is not the
 * default.
 */
class AutoCreateIT {
    /** An app in this process, limited to one scope. */
    private record AppInScope(App app, String name) {
        static AppInScope of(String name, String autoCreate) {
            return new AppInScope(
                    new App(Map.of("NumeraStorage", SharedAzurite.connectionString(), "Numera_AutoCreate", autoCreate)),
                    name);
        }

        HttpResponseMessage put(String sequence, String definition) {
            return new SequenceFunctions(app)
                    .putDefinition(request(sequence, "", definition, Map.of("if-none-match", "*")), name, sequence);
        }

        HttpResponseMessage next(String sequence) {
            return new AllocateFunction(app).allocate(request(sequence, "/next", null, Map.of()), name, sequence);
        }

        HttpResponseMessage get(String sequence) {
            return new SequenceFunctions(app).getDefinition(request(sequence, "", null, Map.of()), name, sequence);
        }

        private HttpRequestMessage<Optional<String>> request(
                String sequence, String call, String body, Map<String, String> headers) {
            return Requests.of("/api/sequences/" + name + "/" + sequence + call, body, headers);
        }
    }

    private static void putTemplate(AppInScope scope, String name) throws IOException {
        require(201, new AppInScope(scope.app(), "~").put(name, "{\"start\": 700, \"format\": \"T{n:4}\"}"));
    }

    @Test
    void withTemplateOnlyNamesWithATemplateAreCreated() throws IOException {
        AppInScope scope = AppInScope.of("auto", "template");
        putTemplate(scope, "auto-template");

        JsonNode first = require(200, scope.next("auto-template"));
        assertEquals(700, first.get("first").longValue());
        assertEquals("[\"T0700\"]", first.get("texts").toString());
        assertTrue(first.get("created").booleanValue());

        requireUnknown(scope.next("without-template"));
        requireUnknown(scope.get("without-template"));
    }

    @Test
    void withNeverATemplateCreatesNothingEither() throws IOException {
        AppInScope scope = AppInScope.of("auto", "never");
        putTemplate(scope, "auto-never");

        requireUnknown(scope.next("auto-never"));
        requireUnknown(scope.get("auto-never"));

        require(201, scope.put("auto-never", "{}"));
        assertEquals(1, require(200, scope.next("auto-never")).get("first").longValue());
    }

    private static JsonNode require(int status, HttpResponseMessage answer) throws IOException {
        assertEquals(status, answer.getStatusCode(), () -> String.valueOf(answer.getBody()));
        return new ObjectMapper().readTree(String.valueOf(answer.getBody()));
    }

    private static void requireUnknown(HttpResponseMessage answer) throws IOException {
        assertEquals(
                "urn:problem-type:numera:unknown-sequence",
                require(404, answer).get("type").textValue());
        assertTrue(answer.getHeader("Content-Type").startsWith("application/problem+json"));
    }
}
