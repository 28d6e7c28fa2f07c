package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.TableNames;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The list of all scopes, with storage that contains only the sequences of these tests. */
class ListingIT {
    private static final List<String> SEQUENCES = List.of("east/a", "east/b", "east/c", "west/a", "west/b");
    private static final int MANY = 50;

    private static String storage;
    private static HostProcess host;
    private static NumeraClient client;

    @BeforeAll
    static void start() {
        storage = SharedAzurite.emptyAccount();
        host = HostProcess.start(storage, Map.of());
        client = new NumeraClient(host.baseUri());
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @Test
    void pagesOfOneOverAllScopesHoldEverySequenceOnce() {
        SEQUENCES.forEach(sequence -> client.send("PUT", "/api/sequences/" + sequence, "{}", "If-None-Match", "*")
                .expect(201));

        List<String> listed = new ArrayList<>();
        JsonNode page = client.get("/api/sequences?limit=1").expect(200).body();
        listed.addAll(names(page));
        while (page.has("continuation") && listed.size() <= MANY) {
            page = client.get("/api/sequences?limit=1&continuation="
                            + page.get("continuation").textValue())
                    .expect(200)
                    .body();
            listed.addAll(names(page));
        }
        // The sequences of the other test may exist already.
        listed.removeIf(sequence -> sequence.startsWith("shop/"));

        assertEquals(SEQUENCES, listed.stream().sorted().toList());
    }

    private static List<String> names(JsonNode page) {
        List<String> names = new ArrayList<>();
        page.get("sequences")
                .forEach(sequence -> names.add(sequence.get("scope").textValue() + "/"
                        + sequence.get("name").textValue()));
        assertTrue(names.size() <= 1, names::toString);
        return names;
    }

    /** A page shows each sequence as the console needs it, including those that cannot be read. */
    @Test
    void pageShowsDefinitionsAndStatesAndContinuesPastFailures() {
        put("a-invoice", "{\"maxValue\": 4, \"format\": \"INV-{n}\", \"description\": \"Invoices\"}");
        client.next("shop/a-invoice").expect(200);
        put("b-retired", "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\"}");
        client.next("shop/b-retired").expect(200);
        client.send("DELETE", "/api/sequences/shop/b-retired", null, "If-Match", "*")
                .expect(204);
        for (String name : List.of("c-lost", "d-newer")) {
            client.next("shop/" + name).expect(200);
        }
        TableClient counters = new TableClientBuilder()
                .connectionString(storage)
                .tableName(TableNames.COUNTERS)
                .buildClient();
        counters.deleteEntity("shop:c-lost", "definition");
        counters.upsertEntity(counters.getEntity("shop:d-newer", "definition").addProperty("needs", 99));

        JsonNode all = client.get("/api/sequences?scope=shop&with=definition,state")
                .expect(200)
                .body()
                .get("sequences");
        JsonNode invoice = all.get(0);
        assertEquals(
                List.of("Invoices", "INV-2", "0.25"),
                List.of(
                        invoice.at("/definition/description").textValue(),
                        invoice.at("/state/nextText").textValue(),
                        invoice.at("/state/used").asText()));
        assertTrue(all.get(1).has("retiredAt"));
        assertEquals(2, all.get(1).at("/state/next").intValue());
        assertEquals(
                List.of("urn:problem-type:numera:rolled-back", "urn:problem-type:numera:needs-newer-version"),
                List.of(
                        all.get(2).at("/problem/type").textValue(),
                        all.get(3).at("/problem/type").textValue()));
        assertEquals(client.get("/api/sequences/shop/a-invoice").body(), invoice.get("definition"));
        assertEquals(client.get("/api/sequences/shop/a-invoice/state").body(), invoice.get("state"));

        JsonNode filtered = client.get("/api/sequences?scope=shop&filter=INVOICES+strict")
                .expect(200)
                .body();
        assertEquals(
                List.of("a-invoice", "c-lost", "d-newer"),
                filtered.get("sequences").findValuesAsText("name"));
        assertTrue(filtered.at("/sequences/1").has("problem"));

        JsonNode states = client.get("/api/sequences?with=state&limit=1")
                .expect(200)
                .body()
                .get("sequences")
                .get(0);
        assertTrue(states.has("state") && !states.has("definition"));
        for (String wrong : List.of(
                "with=texts",
                "with=state,state",
                "with=State",
                "with=,",
                "with=state&limit=1001",
                "filter=" + "x".repeat(201))) {
            client.get("/api/sequences?" + wrong).expectProblem(400, "invalid-request");
        }
    }

    private static void put(String name, String definition) {
        client.send("PUT", "/api/sequences/shop/" + name, definition, "If-None-Match", "*")
                .expect(201);
    }
}
