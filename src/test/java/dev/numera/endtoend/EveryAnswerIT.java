package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.counter.SequenceName;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.OpenApiDocument.Operation;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import dev.numera.sequence.UploadId;
import dev.numera.sequence.Uploads;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each answer that the document promises of a call is one that the call gives: no status and no problem is made up. */
class EveryAnswerIT {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] ANY = {"If-Match", "*"};
    private static final String[] NONE = {};
    /** Answers to trouble with storage and load, which are not had for the asking. */
    private static final Set<String> TROUBLE =
            Set.of("contention", "outcome-unknown", "overloaded", "rolled-back", "storage-unavailable");

    private final Set<String> given = new TreeSet<>();

    @Test
    void everyAnswerThatIsDescribedIsGiven() {
        answersToBadForm(SharedHost.client());
        answersToGoodForm(SharedHost.client());
        try (HostProcess locked = HostProcess.start(
                SharedAzurite.connectionString(), Map.of("Numera_AutoCreate", "never"), Optional.of("secret"))) {
            NumeraClient client = new NumeraClient(locked.baseUri());
            DOCUMENT.operations().forEach(operation -> call(client, operation, "", NONE));
            send(client, "POST", "answers/none/next", null, "x-functions-key", "secret");
        }
        try (HostProcess misconfigured = HostProcess.start("no connection string", Map.of())) {
            NumeraClient client = new NumeraClient(misconfigured.baseUri());
            DOCUMENT.operations().forEach(operation -> call(client, operation, "", ANY));
        }

        Set<String> described = described();
        assertEquals(List.of(), given.stream().filter(answer -> !described.contains(answer)).toList(), "not described");
        assertEquals(List.of(), described.stream().filter(answer -> !given.contains(answer)).toList(), "never given");
    }

    private void answersToBadForm(NumeraClient client) {
        for (Operation operation : DOCUMENT.operations()) {
            call(client, operation, "?nonsense=1", ANY);
            if (operation.json().get("responses").has("411")) {
                HttpRequest.Builder chunked = client.request("/api" + path(operation))
                        .method(operation.method(), BodyPublishers.ofInputStream(InputStream::nullInputStream));
                add(client.send(chunked));
            }
            if (operation.json().get("responses").has("415")) {
                add(client.send(operation.method(), "/api" + path(operation), "{}", "Content-Type", "application/xml"));
                add(client.send(operation.method(), "/api" + path(operation), "{\"text\": \"" + "x".repeat(70_000) + "\"}"));
            }
        }
    }

    private void answersToGoodForm(NumeraClient client) {
        add(client.get("/api/health"));
        add(client.get("/api/openapi.json"));
        add(client.get("/api/sequences?scope=answers"));
        send(client, "PUT", "answers/a", "{\"maxValue\": 3}", CREATE);
        send(client, "PUT", "answers/a", "{\"maxValue\": 4}", ANY);
        send(client, "PUT", "answers/a", "{}", NONE);
        send(client, "PUT", "answers/a", "{}", CREATE);
        send(client, "PUT", "answers/a", "{\"resetEvery\": \"year\", \"format\": \"{n}\"}", ANY);
        send(client, "POST", "answers/a/next", null, "Idempotency-Key", "a");
        send(client, "POST", "answers/a/next?count=2", null, "Idempotency-Key", "a");
        send(client, "POST", "answers/a/next?count=4", null, NONE);
        send(client, "PUT", "answers/a", "{\"start\": 2}", ANY);
        Stream.of("", "/state", "/ledger").forEach(call -> {
            send(client, "GET", "answers/a" + call, null, NONE);
            send(client, "GET", "answers/none" + call, null, NONE);
        });
        send(client, "POST", "answers/a/parse", "{\"text\": \"1\"}", NONE);
        send(client, "POST", "answers/a/parse", "{\"text\": \"x\"}", NONE);
        send(client, "POST", "answers/none/parse", "{\"text\": \"1\"}", NONE);
        send(client, "POST", "answers/a/advance", "{\"nextAtLeast\": 3}", NONE);
        send(client, "POST", "answers/a/advance", "{\"nextAtLeast\": 30}", NONE);
        send(client, "POST", "answers/none/advance", "{\"nextAtLeast\": 3}", NONE);
        send(client, "DELETE", "answers/a", null, NONE);
        send(client, "DELETE", "answers/a", null, "If-Match", "\"other\"");
        send(client, "DELETE", "answers/a", null, ANY);
        send(client, "POST", "answers/a/next", null, NONE);
        send(client, "POST", "answers/a/advance", "{\"nextAtLeast\": 3}", NONE);
        send(client, "PUT", "answers/a", "{}", ANY);
        List<String> tooMany = IntStream.rangeClosed(0, Uploads.MAX_ITEMS).mapToObj(Integer::toString).toList();
        send(client, "POST", "answers/a/batches", "{\"keys\": [\"a\"]}", "Idempotency-Key", "upload");
        send(client, "POST", "answers/a/batches", "{\"keys\": [\"b\"]}", "Idempotency-Key", "upload");
        send(client, "POST", "answers/a/batches", String.join("\n", tooMany), "Content-Type", "text/plain");
        send(client, "GET", "answers/a/batches/" + UploadId.ofKey(new SequenceName("answers", "a"), "upload").id(), null, NONE);
        send(client, "GET", "answers/a/batches/none", null, NONE);
        send(client, "PUT", "answers/gapless", "{\"guarantee\": \"gapless\"}", CREATE);
        send(client, "POST", "answers/gapless/next", null, NONE);
        send(client, "PUT", "answers/cached", "{\"guarantee\": \"cached\"}", CREATE);
        send(client, "POST", "answers/cached/next", null, "Idempotency-Key", "a");
    }

    private void send(NumeraClient client, String method, String sequence, String body, String... headers) {
        add(client.send(method, "/api/sequences/" + sequence, body, headers));
    }

    private void call(NumeraClient client, Operation operation, String query, String... headers) {
        JsonNode body = operation.json().at("/requestBody/content/application~1json/example");
        add(client.send(operation.method(), "/api" + path(operation) + query, body.isMissingNode() ? null : body.toString(), headers));
    }

    private static String path(Operation operation) {
        return operation.path().replace("{scope}", "answers").replace("{name}", "form").replace("{id}", "0".repeat(32));
    }

    private void add(Reply reply) {
        String id = DOCUMENT.operation(reply.raw()).orElseThrow().id();
        given.add(id + " " + reply.status() + (reply.problem().isEmpty() ? "" : " " + reply.problem()));
    }

    private static Set<String> described() {
        Set<String> described = new TreeSet<>();
        DOCUMENT.operations().forEach(operation -> operation.json().get("responses").fields().forEachRemaining(response -> {
            List<JsonNode> problems = DOCUMENT.problems(response.getValue());
            String answer = operation.id() + " " + response.getKey();
            if (problems.isEmpty()) {
                described.add(answer);
            }
            problems.stream().map(problem -> problem.at("/properties/type/const").textValue().replace("urn:problem-type:numera:", ""))
                    .filter(problem -> !TROUBLE.contains(problem)).forEach(problem -> described.add(answer + " " + problem));
        }));
        return described;
    }
}
