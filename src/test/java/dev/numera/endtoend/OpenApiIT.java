package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.OpenApiDocument.Operation;
import dev.numera.fixtures.SharedHost;
import dev.numera.fixtures.SharedQueues;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The served document, compared with the functions in the package, and its examples. */
class OpenApiIT {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;
    private static final Path PACKAGE = Path.of(System.getProperty("numera.package", "target/azure-functions/numera"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JSON_TYPE = "application/json";
    private static final long POLLING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final NumeraClient client = SharedHost.client();

    @Test
    void documentIsServedUnchanged() throws IOException {
        Reply reply = client.get("/api/openapi.json").expect(200);

        assertEquals(
                "application/json",
                reply.raw().headers().firstValue("Content-Type").orElseThrow());
        assertEquals(
                Files.readString(Path.of("src/main/resources/dev/numera/functions/openapi.json")),
                reply.raw().body());
    }

    @Test
    void everyFunctionIsDescribedAndNothingElse() throws IOException {
        Set<String> described = DOCUMENT.operations().stream()
                .map(operation ->
                        operation.id() + " " + operation.method() + " " + operation.path() + " " + level(operation))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(functionsOfThePackage(), described);
    }

    private static String level(Operation operation) {
        return operation.json().path("security").isArray()
                        && operation.json().get("security").isEmpty()
                ? "anonymous"
                : "function";
    }

    private static Set<String> functionsOfThePackage() throws IOException {
        Set<String> functions = new TreeSet<>();
        try (Stream<Path> folders = Files.list(PACKAGE)) {
            for (Path file : folders.map(folder -> folder.resolve("function.json"))
                    .filter(Files::exists)
                    .toList()) {
                JsonNode trigger = JSON.readTree(file.toFile()).get("bindings").get(0);
                if (trigger.get("type").textValue().equals("httpTrigger")) {
                    assertEquals(1, trigger.get("methods").size(), file::toString);
                    functions.add(file.getParent().getFileName() + " "
                            + trigger.get("methods").get(0).textValue() + " /"
                            + trigger.get("route").textValue() + " "
                            + trigger.path("authLevel").asText("function").toLowerCase());
                }
            }
        }
        return functions;
    }

    @Test
    void exampleRequestsRunUnchanged() {
        List<Operation> operations = new ArrayList<>(DOCUMENT.operations());
        // Background numbering would create a sequence at an unknown time, which the list of sequences would show.
        // Calls that change or end the examples' sequence run last.
        operations.sort(Comparator.comparing(operation -> List.of(
                        "UploadBatch",
                        "UploadCsv",
                        "ReadBatch",
                        "ImportNumbers",
                        "ReadImport",
                        "PatchDefinition",
                        "ChangeStatus",
                        "Suspend",
                        "Resume",
                        "Retire")
                .indexOf(operation.id())));
        for (Operation operation : operations) {
            Reply reply = sendUntilFinished(operation);
            assertTrue(
                    reply.status() < 300,
                    () -> operation.id() + ": " + reply.raw().body());
            JsonNode expected =
                    operation.json().at("/responses/" + reply.status() + "/content/application~1json/example");
            if (!expected.isMissingNode()) {
                assertEquals(withoutTimes(expected), withoutTimes(reply.body()), operation::id);
            }
        }
    }

    /** Repeats a read until the list is numbered, because there is no answer to compare before. */
    private Reply sendUntilFinished(Operation operation) {
        Reply reply = sendExample(operation, type(operation), "");
        while (operation.method().equals("GET") && reply.status() == 202) {
            LockSupport.parkNanos(POLLING_NANOS);
            reply = sendExample(operation, type(operation), "");
        }
        return reply;
    }

    private static String type(Operation operation) {
        JsonNode content = operation.json().at("/requestBody/content");
        return content.isMissingNode() || content.has(JSON_TYPE)
                ? JSON_TYPE
                : content.fieldNames().next();
    }

    /**
     * Each type uses its own scope, because the key of the example belongs to another list in the JSON example's
     * sequence.
     */
    @Test
    void exampleRequestsOfEveryTextTypeRunToo() {
        Set<String> sent = new TreeSet<>();
        for (Operation operation : DOCUMENT.operations()) {
            operation.json().at("/requestBody/content").fieldNames().forEachRemaining(type -> {
                if (type.startsWith("text/")) {
                    String suffix = type.replace("text/", "-");
                    // Two calls take lists, and only one of them creates the sequence.
                    client.send("PUT", "/api/sequences/shop" + suffix + "/invoice", "{}", "If-None-Match", "*");
                    Reply reply = sendExample(operation, type, suffix);
                    assertEquals(
                            operation.json().get("responses").has("202") ? 202 : 200,
                            reply.status(),
                            () -> operation.id() + " with " + type + ": "
                                    + reply.raw().body());
                    sent.add(operation.id() + " " + type + " "
                            + reply.body().path("keys").asText()
                            + reply.body().path("items").asText()
                            + reply.body().path("rows").asText());
                }
            });
        }
        assertEquals(
                Set.of(
                        "InspectImport text/csv 1",
                        "UploadBatch text/csv 1",
                        "UploadBatch text/plain 2",
                        "UploadCsv text/csv 1",
                        "ImportNumbers text/csv 1"),
                sent);
    }

    /** The queue assigns message ids, so the examples have an id of no message. */
    private static String withPoisonId(String path) {
        return path.startsWith("/poison/")
                ? path.replace(
                        "{id}",
                        SharedQueues.putPoison("{\"scope\": \"shop\", \"name\": \"poison\", \"keys\": [\"order-1\"]}"))
                : path;
    }

    private Reply sendExample(Operation operation, String type, String scopeSuffix) {
        String path = withPoisonId(operation.path());
        List<String> query = new ArrayList<>();
        List<String> headers = new ArrayList<>();
        for (JsonNode parameter : DOCUMENT.parameters(operation)) {
            if (parameter.has("example")) {
                String name = parameter.get("name").textValue();
                String value = parameter.get("example").asText();
                switch (parameter.get("in").textValue()) {
                    case "path" ->
                        path = path.replace(
                                "{" + name + "}", encode(value + (name.equals("scope") ? scopeSuffix : "")));
                    case "query" -> query.add(name + "=" + encode(value));
                    default -> headers.addAll(List.of(name, value));
                }
            }
        }
        JsonNode body =
                operation.json().path("requestBody").path("content").path(type).path("example");
        if (!body.isMissingNode()) {
            headers.addAll(List.of("Content-Type", type));
        }
        return client.send(
                operation.method(),
                "/api" + path + (query.isEmpty() ? "" : "?" + String.join("&", query)),
                body.isMissingNode() ? null : body.isTextual() ? body.textValue() : body.toString(),
                headers.toArray(String[]::new));
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static JsonNode withoutTimes(JsonNode json) {
        JsonNode copy = json.deepCopy();
        for (String time :
                List.of("allocatedAt", "sentAt", "statusAt", "checkedAt", "firstAllocatedAt", "changedAt", "at")) {
            copy.findParents(time).forEach(parent -> ((ObjectNode) parent).remove(time));
        }
        return copy;
    }
}
