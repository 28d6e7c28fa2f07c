package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedQueues;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.localhost.Azurite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The poison queue as an operator sees it, on separate queues behind a proxy that interrupts requests. */
class PoisonOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String POISON = "numbering-requests-poison";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Azurite AZURITE = Azurite.inMemory();
    private static final Azurite.Ports PORTS = AZURITE.ports();
    /** The proxy in front of the queue service, which it treats as the table service. */
    private static final FaultProxy PROXY =
            FaultProxy.before(new Azurite.Ports(PORTS.blob(), PORTS.queue(), PORTS.queue()));

    private static final HostProcess HOST = HostProcess.start(
            Azurite.connectionString(new Azurite.Ports(PORTS.blob(), PROXY.port(), PORTS.table())), Map.of());

    private final NumeraClient client = new NumeraClient(HOST.baseUri());
    private final QueueClient poison = queue(POISON);
    private final QueueClient results = queue("numbering-results");

    @AfterAll
    static void close() {
        HOST.close();
        PROXY.close();
        AZURITE.close();
    }

    @BeforeEach
    void queuesAreEmpty() {
        for (QueueClient queue : List.of(poison, results)) {
            queue.createIfNotExists();
            queue.clearMessages();
        }
    }

    @AfterEach
    void nothingFails() {
        PROXY.heal();
    }

    private static QueueClient queue(String name) {
        return new QueueClientBuilder()
                .connectionString(AZURITE.connectionString())
                .queueName(name)
                .buildClient();
    }

    private static String batch(String name, String more) {
        return "{\"id\": \"" + name + "\", \"scope\": \"poison\", \"name\": \"" + name + "\", \"keys\": [\"a\"]" + more
                + "}";
    }

    private String put(String message) {
        return poison.sendMessage(message).getMessageId();
    }

    private Reply requeue(String id, String body) {
        return client.send("POST", "/api/poison/" + id + "/requeue", body);
    }

    private Reply drop(String id) {
        return client.send("DELETE", "/api/poison/" + id, null);
    }

    private List<JsonNode> listed() {
        List<JsonNode> messages = new ArrayList<>();
        client.get("/api/poison").expect(200).body().get("messages").forEach(messages::add);
        return messages;
    }

    private List<String> ids() {
        return listed().stream().map(message -> message.get("id").textValue()).toList();
    }

    private static String problem(JsonNode message) {
        return message.at("/problem/type").asText().replace("urn:problem-type:numera:", "");
    }

    private JsonNode awaitResult() {
        Instant end = Instant.now().plus(TIMEOUT);
        while (Instant.now().isBefore(end)) {
            QueueMessageItem message = results.receiveMessage();
            if (message != null) {
                results.deleteMessage(message.getMessageId(), message.getPopReceipt());
                return json(message.getBody().toString());
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("No result came:\n" + HOST.output());
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("A result is JSON, but not " + text, e);
        }
    }

    @Test
    void failedMessagesAreOneEntryOfTheAttentionListOfAllScopes() {
        assertEquals(List.of(), failedMessages(""));
        put("no JSON");
        put("nor this");
        List<JsonNode> entries = failedMessages("");
        assertEquals(1, entries.size());
        assertEquals(2, entries.get(0).get("count").intValue());
        assertTrue(entries.get(0).get("action").textValue().contains("Requeue"));
        assertFalse(entries.get(0).has("scope"));
        assertEquals(List.of(), failedMessages("?scope=poison"));
    }

    private List<JsonNode> failedMessages(String query) {
        JsonNode page = client.get("/api/attention" + query).expect(200).body();
        List<JsonNode> entries = new ArrayList<>();
        page.get("entries").forEach(entries::add);
        entries.removeIf(entry -> !entry.get("kind").textValue().equals("failed-messages"));
        return entries;
    }

    @Test
    void listsEachMessageWithItsPresentProblem() {
        client.send("PUT", "/api/sequences/poison/short", "{\"maxValue\": 1}", CREATE)
                .expect(201);
        client.next("poison/short", "", "z").expect(200);
        client.next("poison/gone").expect(200);
        client.send("DELETE", "/api/sequences/poison/gone", null, "If-Match", "*")
                .expect(204);
        String script = "<script>alert(1)</script> \u202eabc & \"quoted\"";
        String base64 = SharedQueues.base64(batch("gone", ""));
        List<String> sent = List.of(
                script,
                base64,
                batch("short", ""),
                batch("fresh", ""),
                batch("fresh", ", \"colour\": 1"),
                "{\"upload\": \"" + "0".repeat(32) + "\", \"scope\": \"poison\", \"name\": \"fresh\", \"part\": 1}",
                "{\"import\": \"" + "0".repeat(32) + "\", \"scope\": \"poison\", \"name\": \"fresh\", \"part\": 1}",
                "bm90IEpTT04=");
        List<String> ids = sent.stream().map(this::put).toList();

        List<JsonNode> listed = listed();

        assertEquals(
                ids,
                listed.stream().map(message -> message.get("id").textValue()).toList());
        assertEquals(
                List.of(
                        "invalid-request",
                        "retired",
                        "exhausted",
                        "",
                        "invalid-request",
                        "unknown-batch",
                        "unknown-import",
                        "invalid-request"),
                listed.stream().map(PoisonOverHttpIT::problem).toList());
        assertEquals(script, listed.get(0).get("text").textValue());
        assertEquals(batch("gone", ""), listed.get(1).get("text").textValue());
        assertEquals("not JSON", listed.get(7).get("text").textValue());
        Instant inserted = Instant.parse(listed.get(0).get("insertedAt").textValue());
        assertEquals(
                inserted.plus(Duration.ofDays(7)),
                Instant.parse(listed.get(0).get("expiresAt").textValue()));
        assertEquals(listed, listed(), "to look changes nothing");
        assertEquals(8, client.get("/api/poison").body().get("approximateCount").longValue());
        client.get("/api/sequences/poison/fresh").expectProblem(404, "unknown-sequence");
    }

    @Test
    void listsMessagesBesideOneWhoseNumberIsOutOfRange() {
        List<String> ids = List.of(put(batch("fresh", "")), put("{\"count\": 1e99999999999}"), put(batch("fresh", "")));

        assertEquals(ids, ids());
        assertEquals(
                List.of("", "invalid-request", ""),
                listed().stream().map(PoisonOverHttpIT::problem).toList());
    }

    @Test
    void requeuesABatchWithItsDate() {
        client.send(
                        "PUT",
                        "/api/sequences/poison/yearly",
                        "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"{yyyy}-{n}\"}",
                        CREATE)
                .expect(201);
        String plain = put(batch("yearly", ""));
        assertEquals(List.of("date"), fields(requeue(plain, "{}")));
        assertEquals(List.of("date"), fields(requeue(plain, "{\"date\": \"31.12.2025\"}")));
        // A typo would open a period in a future year, and the message would then state that date.
        assertEquals(List.of("date"), fields(requeue(plain, "{\"date\": \"2062-12-31\"}")));
        assertEquals(List.of(plain), ids(), "a refused one is seen again at once");

        requeue(plain, "{\"date\": \"2025-12-31\"}").expect(202);
        JsonNode result = awaitResult();
        assertEquals("numbered", result.get("status").textValue());
        assertEquals("2025-1", result.at("/allocations/0/texts/0").textValue());
        assertEquals(List.of(), ids());
        requeue(plain, "{\"date\": \"2025-12-31\"}").expectProblem(404, "unknown-message");

        // Keys of any script survive in Base64, as the sender encoded them.
        String wide = batch("yearly", "").replace("[\"a\"]", "[\"\u6570-\u0645\"]");
        requeue(put(SharedQueues.base64("\n " + wide)), "{\"date\": \"2024-01-01\"}")
                .expect(202);
        QueueMessageItem answer = awaitMessage();
        JsonNode decoded = json(new String(
                java.util.Base64.getDecoder().decode(answer.getBody().toString()),
                java.nio.charset.StandardCharsets.UTF_8));
        assertEquals("\u6570-\u0645", decoded.at("/allocations/0/key").textValue());
        assertEquals("2024-1", decoded.at("/allocations/0/texts/0").textValue());
    }

    private QueueMessageItem awaitMessage() {
        Instant end = Instant.now().plus(TIMEOUT);
        while (Instant.now().isBefore(end)) {
            QueueMessageItem message = results.receiveMessage();
            if (message != null) {
                return message;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("No result came:\n" + HOST.output());
    }

    @Test
    void aDateOfTheMessagesOwnStays() {
        String dated = put(batch("dated", ", \"date\": \"2026-11-01\""));
        assertEquals(List.of("date"), fields(requeue(dated, "{\"date\": \"2026-11-02\"}")));
        requeue(dated, "{}").expect(202);
        awaitResult();
        assertEquals(
                "2026-11-01",
                client.get("/api/sequences/poison/dated/ledger?key=a")
                        .expect(200)
                        .body()
                        .at("/entries/0/date")
                        .textValue());
    }

    @Test
    void aPartOfAnUploadNeedsNoDate() {
        String location = client.send(
                        "POST", "/api/sequences/poison/list/batches", "{\"keys\": [\"a\"]}", "Idempotency-Key", "list")
                .expect(202)
                .location();
        String id = client.awaitUpload(location, TIMEOUT, HOST::output)
                .body()
                .get("id")
                .textValue();
        String part = put("{\"upload\": \"" + id + "\", \"scope\": \"poison\", \"name\": \"list\", \"part\": 1}");
        String tooFar = put("{\"upload\": \"" + id + "\", \"scope\": \"poison\", \"name\": \"list\", \"part\": 2}");

        assertEquals(
                List.of("", "invalid-request"),
                listed().stream().map(PoisonOverHttpIT::problem).toList());
        assertEquals(List.of("date"), fields(requeue(part, "{\"date\": \"2026-11-02\"}")));
        requeue(part, "{}").expect(202);
        drop(tooFar).expect(204);
        assertEquals(List.of(), ids());
    }

    @Test
    void messageThatCanNeverBeNumberedCanOnlyBeDropped() {
        String foreign = put("<script>alert(1)</script>");
        String other = put("{\"scope\": \"poison\"}");

        assertEquals(List.of("id"), fields(requeue(foreign, "{\"date\": \"2026-11-02\"}")));
        assertEquals(List.of("id"), fields(requeue(other, "{}")));
        drop(foreign).expect(204);
        drop(foreign).expectProblem(404, "unknown-message");
        assertEquals(List.of(other), ids());
    }

    @Test
    void requeueLeavesAFullOrUnknownMessage() {
        String full = batch("full", "");
        String key = "k".repeat(250);
        String keys =
                IntStream.range(0, 200).mapToObj(i -> "\"" + key + i + "\"").collect(Collectors.joining(","));
        full = full.replace("\"a\"", keys);
        full += " ".repeat(64 * 1024 - full.length());
        String id = put(full);

        requeue(id, "{\"date\": \"2026-11-02\"}").expectProblem(413, "too-large");
        requeue("nothing", "{\"date\": \"2026-11-02\"}").expectProblem(404, "unknown-message");
        assertEquals(List.of("dat"), fields(requeue(id, "{\"dat\": \"2026-11-02\"}")));
        assertEquals(List.of("date"), fields(requeue(id, "{\"date\": 5}")));
        assertEquals(List.of(id), ids());
    }

    /** The app finds a message beyond the first page of the service, and keeps all others. */
    @Test
    @Tag("long")
    void findsEachOfFortyMessagesAndKeepsTheOthers() {
        List<String> ids = IntStream.range(0, 40)
                .mapToObj(i -> put(batch("forty-" + i, ", \"date\": \"2026-11-01\"")))
                .toList();
        assertEquals(ids.subList(0, 32), ids());

        drop(ids.get(39)).expect(204);
        drop(ids.get(0)).expect(204);
        requeue(ids.get(20), "{}").expect(202);

        assertEquals("forty-20", awaitResult().get("id").textValue());
        Set<String> left = new TreeSet<>(ids);
        List.of(39, 0, 20).forEach(gone -> left.remove(ids.get(gone)));
        Set<String> visible = new TreeSet<>();
        List<QueueMessageItem> received;
        do {
            received = poison.receiveMessages(32).stream().toList();
            received.forEach(message -> visible.add(message.getMessageId()));
        } while (!received.isEmpty());
        assertEquals(left, visible);
    }

    @Test
    void messageTakenByAnotherReaderIsHiddenForNow() {
        String id = put(batch("hidden", ""));
        QueueMessageItem taken = poison.receiveMessage();
        drop(id).expectProblem(404, "unknown-message");
        assertEquals(List.of(), listed());
        assertEquals(1, client.get("/api/poison").body().get("approximateCount").longValue());

        poison.updateMessage(id, taken.getPopReceipt(), null, Duration.ZERO);
        drop(id).expect(204);
    }

    @Test
    void aQueueThatIsMissingIsEmpty() {
        poison.delete();

        assertEquals(
                "{\"messages\":[],\"approximateCount\":0}",
                client.get("/api/poison").expect(200).raw().body());
        drop("5fdfe6a3-9f2c-4a44-8a3e-6f1d7b0c2a11").expectProblem(404, "unknown-message");
    }

    @Test
    void aMessageThatCouldNotBeSentStaysWhereItIs() {
        String id = put(batch("unsent", ", \"date\": \"2026-11-01\""));
        PROXY.inject(
                Fault.status(500, ErrorBody.XML), Nth.every(RequestKind.INSERT).onPath("numbering-requests/messages"));

        requeue(id, "{}").expectProblem(503, "storage-unavailable");

        PROXY.heal();
        assertEquals(List.of(id), ids());
        client.get("/api/sequences/poison/unsent").expectProblem(404, "unknown-sequence");
        requeue(id, "{}").expect(202);
        assertEquals("numbered", awaitResult().get("status").textValue());
    }

    /** The message is then in both queues, and the second requeue allocates no further numbers. */
    @Test
    void aMessageThatWasSentAndCouldNotBeDeletedIsNumberedOnce() {
        String message = batch("twice", ", \"date\": \"2026-11-01\"");
        String id = put(message);
        PROXY.inject(
                Fault.status(500, ErrorBody.XML), Nth.of(RequestKind.DELETE, 1).onPath(POISON));

        requeue(id, "{}").expectProblem(503, "storage-unavailable");

        assertEquals(1, awaitResult().at("/allocations/0/first").longValue());
        assertEquals(1, poison.getProperties().getApproximateMessagesCountLong());
        // The first copy stays hidden for half a minute, so another copy replaces it.
        requeue(put(message), "{}").expect(202);
        JsonNode again = awaitResult();
        assertEquals(1, again.at("/allocations/0/first").longValue());
        assertTrue(again.at("/allocations/0/replayed").booleanValue());
    }

    @Test
    void interruptedRequeueLosesNoMessage() {
        List<String> ids =
                IntStream.range(0, 5).mapToObj(i -> put(batch("back-" + i, ""))).toList();
        PROXY.inject(
                Fault.status(500, ErrorBody.XML), Nth.of(RequestKind.OTHER, 2).onPath(POISON + "/messages"));

        drop(ids.get(4)).expectProblem(503, "storage-unavailable");

        assertEquals(5, poison.getProperties().getApproximateMessagesCountLong());
        assertEquals(List.of(ids.get(0)), ids(), "the others are seen again when their time is over");
    }

    @Test
    void refusalOfTheQueueServiceIsReported() {
        String id = put(batch("refused", ""));
        PROXY.inject(Fault.status(403, ErrorBody.XML), Nth.every().onPath(POISON));

        Reply refused = client.get("/api/poison").expectProblem(503, "storage-unavailable");
        assertTrue(
                refused.body().get("detail").textValue().contains(POISON),
                refused.raw().body());
        assertFalse(refused.raw().body().contains("AccountKey"));
        drop(id).expectProblem(503, "storage-unavailable");
    }

    private static List<String> fields(Reply reply) {
        reply.expectProblem(400, "invalid-request");
        return reply.body().get("errors").findValuesAsText("field");
    }
}
