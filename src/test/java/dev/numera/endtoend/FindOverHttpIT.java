package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The search for numbers, keys and texts, over all sequences and within one, and the lists of uploads. */
class FindOverHttpIT {
    private static final NumeraClient CLIENT = SharedHost.client();
    private static final String SCOPE = "found";

    @BeforeAll
    static void allocate() {
        put("invoice", "{\"guarantee\": \"gapless\", \"format\": \"INV-{n:4}\"}");
        put("order", "{\"resetEvery\": \"month\", \"timeZone\": \"UTC\", \"format\": \"{yyyy}{MM}-{n}\"}");
        for (String key : List.of("order-1", "order-2", "other")) {
            CLIENT.next(SCOPE + "/invoice", "", key).expect(200);
        }
        CLIENT.next(SCOPE + "/order", "?date=2026-01-15", "order-1").expect(200);
        CLIENT.next(SCOPE + "/order", "?date=2026-02-15&count=3", "order-2").expect(200);
    }

    private static void put(String name, String definition) {
        CLIENT.send("PUT", "/api/sequences/" + SCOPE + "/" + name, definition, "If-None-Match", "*")
                .expect(201);
    }

    private static List<String> found(String query) {
        JsonNode page = CLIENT.get("/api/find?scope=" + SCOPE + "&q=" + query)
                .expect(200)
                .body();
        assertEquals(2, page.get("searched").intValue());
        assertEquals(0, page.get("unsearched").size());
        return entries(page);
    }

    private static List<String> entries(JsonNode page) {
        List<String> entries = new ArrayList<>();
        page.get("entries")
                .forEach(entry -> entries.add(entry.path("name").asText("") + " "
                        + entry.path("foundBy").asText("") + " " + entry.get("first") + " "
                        + entry.at("/texts/0").textValue()));
        return entries;
    }

    @Test
    void findsAKeyATextOrANumber() {
        assertEquals(List.of("invoice key 1 INV-0001", "order key 1 202601-1"), found("order-1"));
        assertEquals(List.of("invoice text 3 INV-0003"), found("inv-0003"));
        assertEquals(List.of("invoice number 2 INV-0002", "order number 1 202602-1"), found("2"));
        assertEquals(List.of(), found("nothing"));
        for (String remembered : List.of("inv-3", "INV0003", "inv%203", "INV-%200003", "inv-000003")) {
            assertEquals(List.of("invoice text 3 INV-0003"), found(remembered), remembered);
        }
        assertEquals(List.of("order text 1 202602-1"), found("2026022"));
        assertEquals(List.of(), found("inv-4"));
    }

    @Test
    void anEntryIsThatOfTheLedgerButForTextsInBetween() {
        JsonNode entry = CLIENT.get("/api/find?scope=" + SCOPE + "&q=202602-2")
                .expect(200)
                .body()
                .at("/entries/0");
        assertEquals("[\"202602-1\",\"202602-3\"]", entry.get("texts").toString());
        JsonNode ledger = CLIENT.get("/api/sequences/" + SCOPE + "/order/ledger?key=order-2")
                .expect(200)
                .body()
                .at("/entries/0");
        ledger.fieldNames()
                .forEachRemaining(field ->
                        assertTrue(field.equals("texts") || ledger.get(field).equals(entry.get(field)), field));
    }

    @Test
    void pagesSearchAsManySequencesAsRequested() {
        JsonNode first = CLIENT.get("/api/find?limit=1&scope=" + SCOPE + "&q=order-1")
                .expect(200)
                .body();
        assertEquals(List.of("invoice key 1 INV-0001"), entries(first));
        JsonNode second = CLIENT.get("/api/find?limit=1&scope=" + SCOPE + "&q=order-1&continuation="
                        + first.get("continuation").textValue())
                .expect(200)
                .body();
        assertEquals(List.of("order key 1 202601-1"), entries(second));
        for (String wrong : List.of("", "?q=", "?q=a&limit=101", "?q=a&scope=a%20b", "?q=" + "x".repeat(256))) {
            CLIENT.get("/api/find" + wrong).expectProblem(400, "invalid-request");
        }
    }

    @Test
    void aLedgerIsSearchedByThePrefixOfKeysAndByTextsInAnyCase() {
        String ledger = "/api/sequences/" + SCOPE + "/invoice/ledger";
        assertEquals(
                List.of("order-1", "order-2"),
                CLIENT.get(ledger + "?keyPrefix=order-").expect(200).body().findValuesAsText("key"));
        assertEquals(
                List.of("order-2"),
                CLIENT.get(ledger + "?keyPrefix=order-&from=2")
                        .expect(200)
                        .body()
                        .findValuesAsText("key"));
        assertEquals(
                List.of(),
                CLIENT.get(ledger + "?keyPrefix=Order-").expect(200).body().findValuesAsText("key"));
        assertEquals(
                List.of("other"),
                CLIENT.get(ledger + "?text=inv-0003").expect(200).body().findValuesAsText("key"));
        CLIENT.get(ledger + "?keyPrefix=" + "x".repeat(256)).expectProblem(400, "invalid-request");
        CLIENT.get(ledger + "?keyPrefix=a&key=a").expectProblem(400, "invalid-request");
    }

    @Test
    void aLedgerIsSearchedByActorAndByReason() {
        CLIENT.send("PUT", "/api/sequences/acted/invoice", "{\"guarantee\": \"gapless\"}", "If-None-Match", "*")
                .expect(201);
        String sequence = "/api/sequences/acted/invoice";
        CLIENT.send("POST", sequence + "/next?key=a", null, "Numera-Actor", "Anna")
                .expect(200);
        CLIENT.send("POST", sequence + "/next?key=b", null, "Numera-Actor", "Ben")
                .expect(200);
        CLIENT.send(
                        "POST",
                        sequence + "/status",
                        "{\"key\": \"b\", \"status\": \"void\", \"reason\": \"Customer paid twice\"}",
                        "Content-Type",
                        "application/json",
                        "Numera-Actor",
                        "Carl")
                .expect(200);
        String ledger = sequence + "/ledger?";
        assertEquals(
                List.of("a"),
                CLIENT.get(ledger + "actor=anna").expect(200).body().findValuesAsText("key"));
        for (String query : List.of(
                "actor=ben",
                "actor=carl",
                "status=void&actor=carl",
                "status=void&reason=PAID",
                "reason=paid",
                "reason=paid&order=desc&actor=carl")) {
            assertEquals(
                    List.of("b"), CLIENT.get(ledger + query).expect(200).body().findValuesAsText("key"), query);
        }
        assertEquals(
                List.of(),
                CLIENT.get(ledger + "status=void&reason=lost")
                        .expect(200)
                        .body()
                        .findValuesAsText("key"));
        CLIENT.send(
                        "POST",
                        sequence + "/advance",
                        "{\"nextAtLeast\": 5, \"reason\": \"Paid forms\"}",
                        "Content-Type",
                        "application/json",
                        "Numera-Actor",
                        "Ben")
                .expect(200);
        CLIENT.send("POST", sequence + "/next?key=c", null, "Numera-Actor", "Ben")
                .expect(200);
        assertEquals(List.of(2, 3, 5), numbers(ledger + "actor=ben"));
        assertEquals(List.of(5, 3, 2), numbers(ledger + "actor=ben&order=desc"));
        assertEquals(List.of(2, 3), numbers(ledger + "reason=paid"));
        assertEquals(List.of(3), numbers(ledger + "reason=paid&from=3"));
        CLIENT.get(ledger + "actor=" + "x".repeat(101)).expectProblem(400, "invalid-request");
    }

    /** Returns the first number of each entry, read in pages of one entry. */
    private static List<Integer> numbers(String query) {
        List<Integer> numbers = new ArrayList<>();
        String next = "";
        while (next != null) {
            JsonNode page = CLIENT.get(query + "&limit=1" + next).expect(200).body();
            page.get("entries").forEach(entry -> numbers.add(entry.get("first").intValue()));
            assertTrue(page.get("entries").size() <= 1);
            JsonNode token = page.get("continuation");
            next = token == null || token.isNull() ? null : "&continuation=" + token.textValue();
        }
        return numbers;
    }

    /** The search covers all periods, one page for each. */
    @Test
    void thePrefixOfKeysIsSearchedInEveryPeriod() {
        String ledger = "/api/sequences/" + SCOPE + "/order/ledger?keyPrefix=order";
        JsonNode january = CLIENT.get(ledger).expect(200).body();
        assertEquals(List.of("order-1"), january.findValuesAsText("key"));
        JsonNode february = CLIENT.get(
                        ledger + "&continuation=" + january.get("continuation").textValue())
                .expect(200)
                .body();
        assertEquals(List.of("order-2"), february.findValuesAsText("key"));
    }

    @Test
    void listsUploadsAndImportsWithTheirResults() {
        // The sequence is in another scope, because other tests count the searched sequences of the first scope.
        String sequence = "/api/sequences/listed/moved";
        CLIENT.send("PUT", sequence, "{\"guarantee\": \"gapless\"}", "If-None-Match", "*")
                .expect(201);
        assertEquals(
                0,
                CLIENT.get(sequence + "/batches")
                        .expect(200)
                        .body()
                        .get("batches")
                        .size());
        upload(sequence + "/batches", "{\"keys\": [\"a\", \"b\"]}");
        upload(sequence + "/imports", "{\"rows\": [{\"key\": \"c\", \"number\": 9}, {\"key\": \"d\", \"number\": 0}]}");

        JsonNode batch = CLIENT.get(sequence + "/batches").expect(200).body().at("/batches/0");
        assertEquals("numbered", batch.get("status").textValue());
        assertEquals("{\"numbered\":2,\"refused\":0}", batch.get("counts").toString());
        JsonNode imported = CLIENT.get(sequence + "/imports").expect(200).body().at("/imports/0");
        assertEquals("partial", imported.get("status").textValue());
        assertEquals("anna", imported.get("actor").textValue());
        assertEquals(
                "{\"imported\":1,\"alreadyThere\":0,\"refused\":1}",
                imported.get("counts").toString());

        upload(sequence + "/batches", "{\"keys\": [\"e\"]}");
        JsonNode newest = CLIENT.get(sequence + "/batches?limit=1").expect(200).body();
        assertEquals(1, newest.at("/batches/0/keys").intValue());
        JsonNode older = CLIENT.get(sequence + "/batches?limit=1&continuation="
                        + newest.get("continuation").textValue())
                .expect(200)
                .body();
        assertEquals(batch, older.at("/batches/0"));
    }

    private static void upload(String path, String list) {
        String location = CLIENT.send("POST", path, list, "Numera-Actor", "anna")
                .expect(202)
                .location();
        CLIENT.awaitUpload(location, Duration.ofMinutes(1), SharedHost.process()::output);
    }
}
