package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log of a sequence's changes, as its owner and an accountant read it. */
class ChangesOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*", "Numera-Actor", "anna"};
    private static final String[] BY_BEN = {"If-Match", "*", "Numera-Actor", "ben"};

    private final NumeraClient client = SharedHost.client();

    private static String path(String name) {
        return "/api/sequences/changes/" + name;
    }

    private JsonNode get(String path) {
        return client.get(path).expect(200).body();
    }

    private List<JsonNode> changes(String name) {
        List<JsonNode> changes = new ArrayList<>();
        get(path(name) + "/changes").get("changes").forEach(changes::add);
        return changes;
    }

    private static String withoutTime(JsonNode change) {
        assertFalse(Instant.parse(change.get("at").textValue())
                .isAfter(Instant.now().plusSeconds(1)));
        return ((ObjectNode) change.deepCopy()).without("at").toString();
    }

    private Reply advance(String name, String body, String... headers) {
        return client.send("POST", path(name) + "/advance", body, headers);
    }

    @Test
    void everyChangeIsListedWithItsActor() {
        String invoice = path("invoice");
        client.send("PUT", invoice, "{\"guarantee\": \"gapless\", \"format\": \"A{n}\", \"maxValue\": 99999}", CREATE)
                .expect(201);
        client.next("changes/invoice", "", "order-1").expect(200);
        client.send("PATCH", invoice, "{\"maxValue\": 999999, \"format\": null}", BY_BEN)
                .expect(200);
        client.send("PATCH", invoice, "{\"maxValue\": 999999}", BY_BEN).expect(200);
        advance("invoice", "{\"nextAtLeast\": 100, \"reason\": \"Numbers of the old system.\"}", "Numera-Actor", "ben")
                .expect(200);
        client.send("DELETE", invoice, null, "If-Match", "*").expect(204);
        client.send("DELETE", invoice, null, "If-Match", "*").expect(204);
        client.send("PUT", invoice, "{\"maxValue\": 999999, \"contact\": \"ap@example.com\"}", CREATE)
                .expect(201);

        List<JsonNode> changes = changes("invoice");
        JsonNode created = changes.get(0);
        assertEquals(
                List.of("created", "anna"),
                List.of(created.get("kind").textValue(), created.get("actor").textValue()));
        assertTrue(created.get("fields").toString().contains("{\"field\":\"guarantee\",\"after\":\"gapless\"}"));
        assertEquals(
                List.of(
                        "{\"kind\":\"changed\",\"actor\":\"ben\",\"fields\":[{\"field\":\"maxValue\",\"before\":99999,\"after\":999999},"
                                + "{\"field\":\"format\",\"before\":\"A{n}\"}]}",
                        "{\"kind\":\"advanced\",\"actor\":\"ben\",\"reason\":\"Numbers of the old system.\",\"previousNext\":2,\"next\":100}",
                        "{\"kind\":\"retired\"}",
                        "{\"kind\":\"revived\",\"actor\":\"anna\",\"fields\":[{\"field\":\"contact\",\"after\":\"ap@example.com\"}]}"),
                changes.stream().skip(1).map(ChangesOverHttpIT::withoutTime).toList());
    }

    /** An accountant finds the reason for the gap that an advance made. */
    @Test
    void reasonOfAnAdvanceIsShownWithTheSkippedNumbers() {
        client.send("PUT", path("moved"), "{\"guarantee\": \"gapless\"}", CREATE)
                .expect(201);
        client.next("changes/moved", "", "order-1").expect(200);
        advance("moved", "{\"nextAtLeast\": 5, \"reason\": \"=moved in\"}").expect(200);
        client.next("changes/moved", "", "order-2").expect(200);

        assertEquals(
                "=moved in", get(path("moved") + "/check").at("/gaps/0/reason").textValue());
        JsonNode entry = get(path("moved") + "/ledger").get("entries").get(1);
        assertEquals(
                List.of("advance", "=moved in"),
                List.of(entry.get("kind").textValue(), entry.get("reason").textValue()));
        String csv = client.send("GET", path("moved") + "/ledger", null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body();
        assertTrue(csv.contains(",'=moved in,"), csv);
    }

    @Test
    void pagesFollowOneAnother() {
        client.next("changes/paged").expect(200);
        for (int next = 10; next <= 40; next += 10) {
            advance("paged", "{\"nextAtLeast\": " + next + "}").expect(200);
        }
        List<String> kinds = new ArrayList<>();
        String query = "?limit=2";
        JsonNode page;
        do {
            page = get(path("paged") + "/changes" + query);
            assertTrue(page.get("changes").size() <= 2);
            kinds.addAll(page.findValuesAsText("kind"));
            query = "?limit=2&continuation=" + page.path("continuation").asText();
        } while (page.has("continuation"));
        assertEquals(List.of("created", "advanced", "advanced", "advanced", "advanced"), kinds);
    }

    @Test
    void aDateOpensThePeriodThatIsNamed() {
        client.send("PUT", path("yearly"), "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\"}", CREATE)
                .expect(201);
        client.send("POST", path("yearly") + "/advance?date=2025-07-01", "{\"nextAtLeast\": 7}")
                .expect(200);
        assertEquals(
                "{\"kind\":\"advanced\",\"period\":\"2025\",\"previousNext\":1,\"next\":7}",
                withoutTime(changes("yearly").get(1)));
    }

    @Test
    void refusedChangeIsNotListed() {
        client.send("PUT", path("refused"), "{}", CREATE).expect(201);
        client.send("PUT", path("refused"), "{}", BY_BEN).expect(200);
        client.send("PATCH", path("refused"), "{\"increment\": 0}", BY_BEN).expectProblem(400, "invalid-request");
        client.send("PATCH", path("refused"), "{\"maxValue\": 5}", "If-Match", "\"other\"")
                .expectProblem(412, "precondition-failed");
        client.send("PATCH", path("refused"), "{\"maxValue\": 5}", "If-Match", "*", "Numera-Actor", " ")
                .expectProblem(400, "invalid-request");
        // A malformed request is reported before a failed precondition.
        client.send("PUT", path("refused"), "{}", "If-Match", "\"other\"", "Numera-Actor", " ")
                .expectProblem(400, "invalid-request");
        client.send("DELETE", path("refused"), null, "Numera-Actor", " ").expectProblem(400, "invalid-request");
        assertEquals(1, changes("refused").size());
        client.get(path("none") + "/changes").expectProblem(404, "unknown-sequence");
        client.get(path("refused") + "/changes?limit=0").expectProblem(400, "invalid-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\" blank\"", "\"two\\nlines\"", "5", "null", "[]"})
    void aReasonIsAPrintableText(String reason) {
        client.next("changes/reasons").expect(200);
        Reply refused = advance("reasons", "{\"nextAtLeast\": 9, \"reason\": " + reason + "}");
        assertEquals(
                "reason",
                refused.expectProblem(400, "invalid-request")
                        .body()
                        .at("/errors/0/field")
                        .textValue());
        advance("reasons", "{\"nextAtLeast\": 9, \"reason\": \"" + "x".repeat(201) + "\"}")
                .expectProblem(400, "invalid-request");
        assertEquals(List.of("created"), get(path("reasons") + "/changes").findValuesAsText("kind"));
    }
}
