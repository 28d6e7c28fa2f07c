package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ids from a clock and a leased worker number, for callers that need more ids than a counter allocates. */
class SnowflakeOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] ANY = {"If-Match", "*"};
    private static final long BEGAN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final NumeraClient client = SharedHost.client();

    private static String path(String name) {
        return "/api/sequences/flakes/" + name;
    }

    private JsonNode define(String name, String fields) {
        return client.send("PUT", path(name), "{\"guarantee\": \"snowflake\"" + fields + "}", CREATE)
                .expect(201)
                .body();
    }

    private JsonNode next(String name, String query) {
        return client.next("flakes/" + name, query, null).expect(200).body();
    }

    @Test
    void idsAreDistinctRisingAndContainTheTime() {
        define("event", "");
        Set<Long> ids = new HashSet<>();
        long before = 0;
        for (int call = 0; call < 200; call++) {
            long id = next("event", "").get("first").longValue();
            assertTrue(id > before, before + " before " + id);
            assertTrue(ids.add(id));
            before = id;
        }
        long aheadMillis = BEGAN + (before >> 15) * 10 - System.currentTimeMillis();
        assertTrue(aheadMillis > -1_000 && aheadMillis < 200_000, "ahead by " + aheadMillis + " ms");
        assertTrue(before < 1L << 53);
    }

    @Test
    void aCallGetsUpTo256InOnePiece() {
        define("many", "");
        JsonNode many = next("many", "?count=256");
        long first = many.get("first").longValue();
        assertEquals(
                List.of(first + 255, 256L, 1L),
                List.of(
                        many.get("last").longValue(),
                        many.get("count").longValue(),
                        many.get("increment").longValue()));
        assertEquals(0, first % 256, "they lie in one tick");
        assertTrue(next("many", "?count=2").get("first").longValue() > first + 255);
        String field = client.next("flakes/many", "?count=257", null)
                .expectProblem(400, "invalid-request")
                .body()
                .at("/errors/0/field")
                .textValue();
        assertEquals("count", field);
    }

    @Test
    void formatPrintsAndReadsIds() {
        define("order", ", \"format\": \"O{yyyy}-{n:16}{check:luhn}\", \"timeZone\": \"Europe/Berlin\"");
        JsonNode order = next("order", "?date=2025-03-01");
        String text = order.at("/texts/0").textValue();
        assertTrue(text.matches("O2025-\\d{17}"), text);
        assertEquals("2025-03-01", order.get("date").textValue());
        JsonNode read = client.send("POST", path("order") + "/parse", "{\"text\": \"" + text + "\"}")
                .expect(200)
                .body();
        assertEquals(order.get("first"), read.get("number"));
        String wrong = text.substring(0, text.length() - 1) + (text.endsWith("0") ? "1" : "0");
        client.send("POST", path("order") + "/parse", "{\"text\": \"" + wrong + "\"}")
                .expectProblem(422, "text-unreadable");
        JsonNode preview = client.send("POST", path("order") + "/preview?date=2025-03-01", "{}")
                .expect(200)
                .body();
        assertEquals(3, preview.get("numbers").size());
        assertTrue(preview.at("/texts/0").textValue().startsWith("O2025-"));
        assertEquals(24 - 1, preview.get("longestText").textValue().length());
        client.send("PATCH", path("order"), "{\"format\": \"P{n}\"}", ANY).expect(200);
        assertTrue(next("order", "").at("/texts/0").textValue().startsWith("P"));
        client.send("POST", path("order") + "/parse", "{\"text\": \"" + text + "\"}")
                .expect(200);
        client.next("flakes/order", "?date=2999-01-01", null).expectProblem(400, "invalid-request");
    }

    @Test
    void aKeyIsRefused() {
        define("keyed", "");
        client.next("flakes/keyed", "", "a").expectProblem(400, "key-refused");
        client.next("flakes/keyed", "?reserve=true&key=a", null).expectProblem(400, "key-refused");
        String location = client.send("POST", path("keyed") + "/batches", "{\"keys\": [\"a\", \"b\"]}")
                .expect(202)
                .location();
        JsonNode list = client.awaitUpload(location, Duration.ofMinutes(1), SharedHost.process()::output)
                .body();
        assertEquals("rejected", list.get("status").textValue());
    }

    @Test
    void callsThatNeedACounterAreRefused() {
        define("plain", "");
        for (int round = 0; round < 2; round++) {
            for (String call : List.of(
                    "/state",
                    "/periods",
                    "/ledger",
                    "/ledger?key=a",
                    "/ledger?text=1",
                    "/ledger?status=void",
                    "/ledger?dateFrom=2026-01-01",
                    "/check")) {
                notForIt(client.get(path("plain") + call));
            }
            notForIt(client.send("POST", path("plain") + "/advance", "{\"nextAtLeast\": 5}"));
            notForIt(client.send("POST", path("plain") + "/status", "{\"key\": \"a\", \"status\": \"issued\"}"));
            next("plain", "");
        }
        assertEquals(
                "created",
                client.get(path("plain") + "/changes")
                        .expect(200)
                        .body()
                        .at("/changes/0/kind")
                        .textValue());
        JsonNode listed = client.get("/api/sequences?scope=flakes&with=definition,state")
                .expect(200)
                .body()
                .get("sequences");
        assertFalse(listed.isEmpty(), "no sequence is listed");
        for (JsonNode sequence : listed) {
            assertEquals("snowflake", sequence.at("/definition/guarantee").textValue());
            assertFalse(sequence.has("state") || sequence.has("problem"), sequence::toString);
        }
    }

    private static void notForIt(Reply reply) {
        JsonNode problem = reply.expectProblem(409, "not-for-guarantee").body();
        assertEquals("snowflake", problem.get("guarantee").textValue());
    }

    @Test
    void fieldsOfASeriesAreRefused() {
        for (String field : List.of(
                "\"start\": 1",
                "\"increment\": 1",
                "\"minValue\": 1",
                "\"maxValue\": 9",
                "\"cycle\": false",
                "\"cacheSize\": 100",
                "\"resetEvery\": \"year\"",
                "\"dateOrder\": \"ascending\"")) {
            JsonNode errors = client.send("PUT", path("wrong"), "{\"guarantee\": \"snowflake\", " + field + "}", CREATE)
                    .expectProblem(400, "invalid-request")
                    .body()
                    .get("errors");
            assertEquals(1, errors.size(), errors::toString);
            assertTrue(field.contains(errors.at("/0/field").textValue()), errors::toString);
        }
        client.get(path("wrong")).expectProblem(404, "unknown-sequence");
        JsonNode defined = define(
                "right", ", \"start\": null, \"fiscalYearStart\": 4, \"format\": \"{fy}-{n}\", \"timeZone\": \"UTC\"");
        assertFalse(defined.has("start") || defined.has("dateOrder"), defined::toString);
        client.send("PUT", path("right"), defined.toString(), ANY).expect(200);
        client.send("PATCH", path("right"), "{\"cacheSize\": 7}", ANY).expectProblem(400, "invalid-request");
    }

    /** The guarantee may change in both directions until the first id, and no declared field is lost silently. */
    @Test
    void theGuaranteeIsFixedByTheFirstId() {
        client.send("PUT", path("turned"), "{\"start\": 7}", CREATE).expect(201);
        client.send("PATCH", path("turned"), "{\"guarantee\": \"snowflake\"}", ANY)
                .expectProblem(400, "invalid-request");
        client.send("PUT", path("turned"), "{\"guarantee\": \"snowflake\"}", ANY)
                .expectProblem(400, "invalid-request");
        client.send("PATCH", path("turned"), "{\"guarantee\": \"snowflake\", \"start\": null}", ANY)
                .expect(200);
        client.send("PATCH", path("turned"), "{\"guarantee\": \"strict\"}", ANY).expect(200);
        assertEquals(
                1,
                client.get(path("turned") + "/state")
                        .expect(200)
                        .body()
                        .get("next")
                        .intValue());
        client.send("PATCH", path("turned"), "{\"guarantee\": \"snowflake\"}", ANY)
                .expect(200);
        assertTrue(next("turned", "").get("first").longValue() > 1L << 40);
        JsonNode fields = client.send("PATCH", path("turned"), "{\"guarantee\": \"strict\"}", ANY)
                .expectProblem(409, "immutable-field")
                .body()
                .get("fields");
        assertEquals("[\"guarantee\"]", fields.toString());
        client.send("PATCH", path("turned"), "{\"timeZone\": \"Asia/Tokyo\"}", ANY)
                .expect(200);
        client.send("PATCH", path("turned"), "{\"timeZone\": \"Asia/Seoul\"}", ANY)
                .expectProblem(409, "immutable-field");
    }

    @Test
    void snowflakeSequenceIsRetiredAndRevived() {
        JsonNode defined = define("ended", "");
        next("ended", "");
        client.send("DELETE", path("ended"), "", ANY).expect(204);
        client.next("flakes/ended").expectProblem(410, "retired");
        client.get(path("ended")).expect(200);
        client.send("PUT", path("ended"), defined.toString(), CREATE).expect(201);
        next("ended", "");
    }

    @Test
    void templateCreatesSnowflakeSequences() {
        client.send("PUT", "/api/sequences/~/flakes-made", "{\"guarantee\": \"snowflake\"}", CREATE)
                .expect(201);
        JsonNode made = client.next("flakes/flakes-made").expect(200).body();
        assertTrue(made.get("created").booleanValue());
        assertTrue(made.get("first").longValue() > 1L << 40);
    }
}
