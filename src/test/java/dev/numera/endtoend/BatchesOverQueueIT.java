package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import dev.numera.fixtures.SharedQueues;
import dev.numera.fixtures.SharedQueues.AnswerPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers orders through the queues with the packaged app and a real Azurite. */
class BatchesOverQueueIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final int KEYS_PER_BATCH = 50;

    private final NumeraClient client = SharedHost.client();

    @Test
    void twoHundredOrdersSentTwiceAreNumberedOnce() {
        numberOrders("orders-200", 4, 4);
    }

    @Test
    @Tag("long")
    void fiveThousandOrdersSentTwiceAreNumberedOnce() {
        numberOrders("orders-5000", 100, 100);
    }

    /**
     * Numbers orders. Each message is sent twice, every second one in Base64.
     *
     * @param atOnce the batches that are in the queue together; messages beyond the slots of a sequence return to the
     *     queue
     */
    private void numberOrders(String name, int batches, int atOnce) {
        List<Long> numbers = new ArrayList<>();
        for (int first = 0; first < batches; first += atOnce) {
            sendOrders(name, first, first + atOnce);
            numbers.addAll(awaitOrders(name, first, first + atOnce));
        }
        long total = (long) batches * KEYS_PER_BATCH;
        assertEquals(
                LongStream.rangeClosed(1, total).boxed().toList(),
                numbers.stream().sorted().toList());
        assertEquals(total + 1, client.next("Queue/" + name).expect(200).first());
    }

    private static void sendOrders(String name, int from, int to) {
        for (int copy = 0; copy < 2; copy++) {
            for (int batch = from; batch < to; batch++) {
                String message = keys(name + "-" + batch, name, orders(batch));
                SharedQueues.send(batch % 2 == 0 ? message : SharedQueues.base64(message));
            }
        }
    }

    private static List<Long> awaitOrders(String name, int from, int to) {
        List<Long> numbers = new ArrayList<>();
        for (int batch = from; batch < to; batch++) {
            List<AnswerPart> answers = SharedQueues.awaitParts(name + "-" + batch, 2);
            Map<String, Long> first = numbers(answers.get(0));
            assertEquals(first, numbers(answers.get(1)), "a key has the same number in both answers");
            assertEquals(
                    List.of(batch % 2 != 0, batch % 2 != 0),
                    answers.stream().map(AnswerPart::isBase64).toList());
            assertEquals(
                    orders(batch),
                    answers.get(0).allocations().stream()
                            .map(allocation -> allocation.get("key").textValue())
                            .toList());
            List<Long> inOrder = orders(batch).stream().map(first::get).toList();
            assertEquals(inOrder.stream().sorted().toList(), inOrder, "numbers are in the order of the message");
            numbers.addAll(inOrder);
        }
        return numbers;
    }

    @Test
    void aCountIsNumberedOnceUnderItsId() {
        String message = "{\"id\": \"count-1\", \"scope\": \"Queue\", \"name\": \"counted\", \"count\": 500}";
        SharedQueues.send(message);
        AnswerPart first = SharedQueues.awaitAnswer("count-1");
        SharedQueues.send(message);
        AnswerPart again = SharedQueues.awaitAnswer("count-1");

        assertEquals(
                "{\"id\":\"count-1\",\"scope\":\"Queue\",\"name\":\"counted\",\"status\":\"numbered\",\"part\":1,\"parts\":1,"
                        + "\"allocations\":[{\"key\":\"count-1\",\"first\":1,\"last\":500,\"count\":500,\"increment\":1}]}",
                first.json().toString());
        assertEquals(1, again.allocation(0).get("first").longValue());
        assertTrue(again.allocation(0).get("replayed").booleanValue());
        assertEquals(
                1,
                client.next("Queue/counted", "?count=500", "count-1")
                        .expect(200)
                        .first(),
                "the id is a key like any other");
        assertEquals(501, client.next("Queue/counted").expect(200).first());
    }

    @Test
    void manyTextsAreSentInParts() {
        client.send(
                        "PUT",
                        "/api/sequences/Queue/texts",
                        "{\"format\": \"INV-{n:12}\", \"guarantee\": \"gapless\"}",
                        CREATE)
                .expect(201);
        SharedQueues.send(SharedQueues.base64(
                "{\"id\": \"texts-1\", \"scope\": \"Queue\", \"name\": \"texts\", \"count\": 10000}"));

        List<AnswerPart> parts = new ArrayList<>(SharedQueues.awaitParts("texts-1", 1));
        parts.addAll(SharedQueues.awaitParts(
                "texts-1", parts.get(0).json().get("parts").intValue() - 1));

        List<String> texts = new ArrayList<>();
        parts.stream()
                .sorted((a, b) ->
                        a.json().get("part").intValue() - b.json().get("part").intValue())
                .forEach(part -> {
                    assertTrue(part.isBase64());
                    part.allocation(0).get("texts").forEach(text -> texts.add(text.textValue()));
                });
        assertTrue(parts.size() > 1);
        assertEquals(
                LongStream.rangeClosed(1, 10_000)
                        .mapToObj("INV-%012d"::formatted)
                        .toList(),
                texts);
    }

    /**
     * The message is in Base64, because Azurite garbles multi-byte characters of a long plain message that arrives in
     * pieces.
     */
    @Test
    void keysInAnyScriptOfAWholeMessageAreNumbered() {
        List<String> keys =
                IntStream.range(0, 64).mapToObj(i -> "数".repeat(250) + i).toList();
        String message = SharedQueues.base64(keys("wide", "wide", keys));
        assertTrue(message.length() > 63 * 1024);
        SharedQueues.send(message);

        List<AnswerPart> parts = new ArrayList<>(SharedQueues.awaitParts("wide", 1));
        parts.addAll(
                SharedQueues.awaitParts("wide", parts.get(0).json().get("parts").intValue() - 1));

        Map<String, Long> numbers = new HashMap<>();
        parts.forEach(part -> numbers.putAll(numbers(part)));
        assertEquals(
                LongStream.rangeClosed(1, 64).boxed().toList(),
                keys.stream().map(numbers::get).toList());
    }

    @Test
    void keysBeyondTheRangeAreRefusedOneByOne() {
        client.send("PUT", "/api/sequences/Queue/short", "{\"maxValue\": 3}", CREATE)
                .expect(201);
        String message = keys("short-1", "short", List.of("a", "b", "c", "d", "e"));
        for (int delivery = 0; delivery < 2; delivery++) {
            SharedQueues.send(message);
            AnswerPart answer = SharedQueues.awaitAnswer("short-1");
            assertEquals("partial", answer.status());
            assertEquals(
                    List.of(1L, 2L, 3L),
                    answer.allocations().stream()
                            .limit(3)
                            .map(got -> got.get("first").longValue())
                            .toList());
            for (int beyond = 3; beyond < 5; beyond++) {
                assertEquals(
                        "" + "abcde".charAt(beyond),
                        answer.allocation(beyond).get("key").textValue());
                assertEquals(
                        "urn:problem-type:numera:exhausted",
                        answer.allocation(beyond).get("problem").get("type").textValue());
                assertFalse(answer.allocation(beyond).has("first"));
            }
        }
        String nothingLeft = keys("short-2", "short", List.of("f", "g"));
        SharedQueues.send(nothingLeft);
        rejected("short-2", "exhausted");
        SharedQueues.awaitPoison(nothingLeft);
    }

    @Test
    void keyOfAnotherRequestIsRefusedAlone() {
        assertEquals(1, client.next("Queue/reused", "?count=2", "b").expect(200).first());
        SharedQueues.send(keys("reused", "reused", List.of("a", "b", "c")));

        AnswerPart answer = SharedQueues.awaitAnswer("reused");

        assertEquals("partial", answer.status());
        assertEquals(3, answer.allocation(0).get("first").longValue());
        assertTrue(answer.allocation(1).get("problem").get("type").textValue().endsWith(":key-reused"));
        assertEquals(4, answer.allocation(2).get("first").longValue());
    }

    @ParameterizedTest
    @CsvSource({"cached-1, '{\"guarantee\": \"cached\"}'", "cycle-1, '{\"maxValue\": 9, \"cycle\": true}'"})
    void sequencesThatKnowNoKeysRejectBatches(String name, String definition) {
        client.send("PUT", "/api/sequences/Queue/" + name, definition, CREATE).expect(201);
        String byKeys = keys(name + "-keys", name, List.of("a"));
        String byCount =
                "{\"id\": \"" + name + "-count\", \"scope\": \"Queue\", \"name\": \"" + name + "\", \"count\": 2}";

        SharedQueues.send(byKeys);
        SharedQueues.send(byCount);

        rejected(name + "-keys", "key-refused");
        rejected(name + "-count", "key-refused");
        SharedQueues.awaitPoison(byKeys);
        SharedQueues.awaitPoison(byCount);
        assertEquals(1, client.next("Queue/" + name).expect(200).first(), "nothing was consumed");
    }

    @Test
    void aRetiredSequenceNumbersKnownKeysOnly() {
        SharedQueues.send(keys("retired-1", "retired", List.of("a", "b")));
        assertEquals("numbered", SharedQueues.awaitAnswer("retired-1").status());
        client.send("DELETE", "/api/sequences/Queue/retired", null, "If-Match", "*")
                .expect(204);

        SharedQueues.send(keys("retired-2", "retired", List.of("b", "c")));
        AnswerPart partial = SharedQueues.awaitAnswer("retired-2");
        assertEquals("partial", partial.status());
        assertEquals(2, partial.allocation(0).get("first").longValue());
        assertTrue(partial.allocation(1).get("problem").get("type").textValue().endsWith(":retired"));

        String unknown = keys("retired-3", "retired", List.of("d"));
        SharedQueues.send(unknown);
        rejected("retired-3", "retired");
        SharedQueues.awaitPoison(unknown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-9001 <&>\r\n",
                "[{\"id\": \"bad\", \"scope\": \"Queue\", \"name\": \"bad\", \"keys\": [\"a\"]}]",
                "{\"scope\": \"Queue\", \"keys\": [\"a\"]}",
                "{\"scope\": \"Queue\", \"name\": \"bad\", \"count\": 5}",
                "bm90IEpTT04=",
            })
    void unreadableMessageGoesToThePoisonQueueUnchanged(String message) {
        SharedQueues.send(message);

        SharedQueues.awaitPoison(message);
        client.get("/api/sequences/Queue/bad/state").expectProblem(404, "unknown-sequence");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"scope\": \"Queue\", \"name\": \"bad\", \"keys\": []",
                "\"scope\": \"Queue\", \"name\": \"bad\", \"keys\": [\"a\", \"b\", \"a\"]",
                "\"scope\": \"Queue\", \"name\": \"bad\", \"keys\": \"a\"",
                "\"scope\": \"Queue\", \"name\": \"bad\", \"keys\": [\"a\"], \"count\": 1",
                "\"scope\": \"Queue\", \"name\": \"bad\", \"count\": \"1\"",
                "\"scope\": \"Queue\", \"name\": \"bad\", \"keys\": [\"a\"], \"date\": \"2026-02-30\"",
                "\"scope\": \"Queue\", \"name\": \"bad\", \"keys\": [\"a\"], \"insertiontime\": \"2026-02-20\"",
                "\"scope\": \"Queue/\", \"name\": \"bad\", \"keys\": [\"a\"]",
                "\"scope\": \"~\", \"name\": \"bad\", \"keys\": [\"a\"]",
                "\"scope\": \"Queue\", \"keys\": [\"a\"]",
                "\"scope\": \"Queue\", \"name\": \"bad\"",
            })
    void aWrongFieldIsRejectedWithTheProblem(String fields) {
        String id = "wrong-" + Integer.toHexString(fields.hashCode());
        String message = SharedQueues.base64("{\"id\": \"" + id + "\", " + fields + "}");

        SharedQueues.send(message);

        assertTrue(rejected(id, "invalid-request").isBase64());
        SharedQueues.awaitPoison(message);
        client.get("/api/sequences/Queue/bad/state").expectProblem(404, "unknown-sequence");
    }

    @Test
    void longInvalidMessageIsPoisonUnchanged() {
        String message = "{\"id\": \"full\", \"x\": \"" + "<".repeat(64 * 1024 - 23) + "\"}";
        assertEquals(64 * 1024, message.length());
        SharedQueues.send(message);

        rejected("full", "invalid-request");
        SharedQueues.awaitPoison(message);
    }

    private static AnswerPart rejected(String id, String problem) {
        AnswerPart answer = SharedQueues.awaitAnswer(id);
        assertEquals("rejected", answer.status());
        assertEquals(problem, answer.problem());
        assertEquals(List.of(), answer.allocations());
        return answer;
    }

    private static List<String> orders(int batch) {
        return IntStream.range(0, KEYS_PER_BATCH)
                .mapToObj(i -> "order-" + batch + "-" + i)
                .toList();
    }

    private static Map<String, Long> numbers(AnswerPart part) {
        Map<String, Long> numbers = new HashMap<>();
        for (JsonNode allocation : part.allocations()) {
            numbers.put(
                    allocation.get("key").textValue(), allocation.get("first").longValue());
        }
        return numbers;
    }

    private static String keys(String id, String name, List<String> keys) {
        return "{\"id\": \"" + id + "\", \"scope\": \"Queue\", \"name\": \"" + name + "\", \"keys\": "
                + keys.stream().collect(Collectors.joining("\", \"", "[\"", "\"]")) + "}";
    }
}
