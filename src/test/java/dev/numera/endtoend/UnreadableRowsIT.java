package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.TableNames;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedAzurite;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows that another program wrote: over HTTP, each fails only its own request or entry. */
class UnreadableRowsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void aRowThatCannotBeReadIsTheProblemOfItsOwnRequest() {
        String storage = SharedAzurite.emptyAccount();
        try (HostProcess host = HostProcess.start(storage, Map.of())) {
            NumeraClient client = new NumeraClient(host.baseUri());
            aPeerRequestTakesNoNumbers(client, table(storage, TableNames.COUNTERS));
            aHugeCountFailsItsPage(client, table(storage, TableNames.COUNTERS));
            aKeyRowWithAnotherKeyFailsItsKey(client, table(storage, TableNames.COUNTERS));
            aListShowsEachProblemInItsEntry(client, storage);
            aChangeThatCannotBeReadIsItsOwnEntry(client, table(storage, TableNames.COUNTERS));
            aClosingThatCannotBeReadIsItsOwnEntry(client, table(storage, TableNames.COUNTERS));
            anImportThatCannotBeReadFailsAClosing(client, storage);
            aCounterThatCannotBeReadFailsItsPeriod(client, table(storage, TableNames.COUNTERS));
        }
    }

    private static void aPeerRequestTakesNoNumbers(NumeraClient client, TableClient counters) {
        put(client, "shop/order", "{}");
        assertEquals(1, client.next("shop/order").expect(200).first());
        counters.createEntity(new TableEntity("shop:order", "peer::other")
                .addProperty("request", "1")
                .addProperty("state", "open")
                .addProperty("requests0", "[[null,-50,\"2026-11-24\"]]"));
        for (int number = 2; number <= 60; number++) {
            assertEquals(number, client.next("shop/order").expect(200).first());
        }
    }

    private static void aHugeCountFailsItsPage(NumeraClient client, TableClient counters) {
        put(client, "shop/invoice", "{\"guarantee\": \"gapless\"}");
        for (String key : new String[] {"a", "b", "c"}) {
            client.next("shop/invoice", "", key).expect(200);
        }
        TableEntity second = counters.getEntity("shop:invoice", "number::5000000000000000002");
        counters.upsertEntity(second.addProperty("entries", "[[\"b\",2,2,99999999999,\"2026-11-24\"]]"));

        assertTimeoutPreemptively(PATIENCE, () -> {
            Reply page = client.get("/api/sequences/shop/invoice/ledger?from=2&to=2");
            requireUnreadable(page, "row number::5000000000000000002", "numeracounters", "property entries[0][3]");
            client.get("/api/sequences/shop/invoice/check").expectProblem(503, "storage-unavailable");
            client.get("/api/sequences/shop/invoice/ledger?from=3").expect(200);
            client.get("/api/sequences/shop/invoice/ledger?key=b").expect(200);
            client.get("/api/health").expect(200);
            assertEquals(4, client.next("shop/invoice", "", "d").expect(200).first());
        });
    }

    private static void aKeyRowWithAnotherKeyFailsItsKey(NumeraClient client, TableClient counters) {
        put(client, "shop/ticket", "{}");
        client.next("shop/ticket", "", "a").expect(200);
        TableEntity row = row(counters, "shop:ticket", "key:");
        counters.upsertEntity(row.addProperty("key", "x"));

        assertTimeoutPreemptively(Duration.ofSeconds(8), () -> {
            requireUnreadable(client.next("shop/ticket", "", "a"), row.getRowKey(), "numeracounters", "property key");
            assertEquals(2, client.next("shop/ticket", "", "b").expect(200).first());
        });
    }

    private static void aListShowsEachProblemInItsEntry(NumeraClient client, String storage) {
        put(client, "list/a", "{}");
        put(client, "list/b", "{}");
        table(storage, TableNames.SEQUENCES).createEntity(new TableEntity("list", "or der").addProperty("id", "1"));
        TableClient counters = table(storage, TableNames.COUNTERS);
        counters.upsertEntity(
                counters.getEntity("list:b", "definition").addProperty("fiscalYearStart", Integer.MAX_VALUE));

        JsonNode plain =
                client.get("/api/sequences?scope=list").expect(200).body().get("sequences");
        assertEquals(3, plain.size());
        assertFalse(plain.get(0).has("problem") || plain.get(1).has("problem"));
        assertEquals("or der", plain.get(2).get("name").textValue());
        assertEquals(
                "urn:problem-type:numera:storage-unavailable",
                plain.get(2).at("/problem/type").textValue());

        JsonNode detailed = client.get("/api/sequences?scope=list&with=definition,state")
                .expect(200)
                .body()
                .get("sequences");
        assertTrue(detailed.get(0).has("state"));
        assertTrue(detailed.get(1).at("/problem/detail").textValue().contains("property fiscalYearStart"));
        assertTrue(detailed.get(2).has("problem"));
        requireUnreadable(
                client.get("/api/sequences/list/b"),
                "definition of list:b",
                "numeracounters",
                "property fiscalYearStart");
    }

    private static void aChangeThatCannotBeReadIsItsOwnEntry(NumeraClient client, TableClient counters) {
        put(client, "shop/changed", "{}");
        counters.upsertEntity(row(counters, "shop:changed", "change:").addProperty("kind", "gone"));
        client.send("POST", "/api/sequences/shop/changed/advance", "{\"nextAtLeast\": 5}")
                .expect(200);

        JsonNode changes = client.get("/api/sequences/shop/changed/changes")
                .expect(200)
                .body()
                .get("changes");

        assertEquals(2, changes.size());
        assertTrue(changes.get(0).at("/problem/detail").textValue().contains("property kind"), changes::toString);
        assertEquals("advanced", changes.get(1).get("kind").textValue());
    }

    private static void aClosingThatCannotBeReadIsItsOwnEntry(NumeraClient client, TableClient counters) {
        put(client, "shop/closed", "{}");
        String closings = "/api/sequences/shop/closed/closings";
        String dates = "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-30\"}";
        client.send("POST", closings, dates).expect(201);
        counters.listEntities().stream()
                .filter(row -> row.getPartitionKey().equals("shop:closed") && "closed".equals(row.getProperty("kind")))
                .forEach(row -> counters.upsertEntity(row.addProperty("fields", "[")));
        client.send("POST", closings, dates).expect(201);

        JsonNode listed = client.get(closings).expect(200).body().get("closings");

        assertEquals(2, listed.size(), listed::toString);
        assertTrue(listed.get(0).at("/problem/detail").textValue().contains("property fields"), listed::toString);
        assertEquals("2026-11-01", listed.get(1).get("dateFrom").textValue());
    }

    /** Each page looks ahead to the next period. */
    private static void aCounterThatCannotBeReadFailsItsPeriod(NumeraClient client, TableClient counters) {
        put(client, "shop/yearly", "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"guarantee\": \"gapless\"}");
        client.next("shop/yearly", "?date=2025-03-01", "a").expect(200);
        client.next("shop/yearly", "?date=2026-03-01", "b").expect(200);
        counters.upsertEntity(counters.getEntity("shop:yearly", "counter:2026").addProperty("changedAt", "yesterday"));

        String sequence = "/api/sequences/shop/yearly";
        JsonNode periods = client.get(sequence + "/periods").expect(200).body().get("periods");
        assertEquals(2, periods.get(0).get("next").intValue(), periods::toString);
        assertEquals("2026", periods.get(1).get("period").textValue());
        assertTrue(periods.get(1).at("/problem/detail").textValue().contains("counter:2026"), periods::toString);
        client.get(sequence + "/ledger?date=2025-03-01").expect(200);
        client.get(sequence + "/check?date=2025-03-01").expect(200);
        String next = client.get(sequence + "/check")
                .expect(200)
                .body()
                .get("continuation")
                .textValue();
        requireUnreadable(
                client.get(sequence + "/check?continuation=" + next),
                "counter:2026",
                "numeracounters",
                "property changedAt");
        client.get(sequence + "/ledger?dateFrom=2025-01-01&dateTo=2026-12-31").expect(200);
        client.get(sequence + "/ledger?date=2026-03-01").expect(200);
        client.get("/api/find?q=1&scope=shop").expect(200);
    }

    /** The closing would otherwise omit the import's refused rows from its count. */
    private static void anImportThatCannotBeReadFailsAClosing(NumeraClient client, String storage) {
        put(client, "shop/imported", "{}");
        table(storage, TableNames.BATCHES)
                .createEntity(new TableEntity("shop:imported", "sent:import:1:x").addProperty("id", "x"));

        requireUnreadable(
                client.send(
                        "POST",
                        "/api/sequences/shop/imported/closings",
                        "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-30\"}"),
                "sent:import:1:x",
                "numerabatches",
                "property id");
    }

    private static TableEntity row(TableClient counters, String partition, String start) {
        return counters.listEntities().stream()
                .filter(found -> found.getPartitionKey().equals(partition)
                        && found.getRowKey().startsWith(start))
                .findFirst()
                .orElseThrow();
    }

    private static void requireUnreadable(Reply reply, String... named) {
        reply.expectProblem(503, "storage-unavailable");
        assertFalse(reply.raw().headers().firstValue("Retry-After").isPresent(), "it stays until it is repaired");
        for (String part : named) {
            assertTrue(reply.body().get("detail").textValue().contains(part), reply.body()::toString);
        }
    }

    private static void put(NumeraClient client, String sequence, String definition) {
        client.send("PUT", "/api/sequences/" + sequence, definition, "If-None-Match", "*")
                .expect(201);
    }

    private static TableClient table(String storage, String name) {
        return new TableClientBuilder()
                .connectionString(storage)
                .tableName(name)
                .buildClient();
    }
}
