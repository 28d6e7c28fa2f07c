package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check of a ledger as a caller sees it. */
class CheckOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};

    private final NumeraClient client = SharedHost.client();

    private String define(String name, String definition) {
        client.send("PUT", "/api/sequences/audit/" + name, definition, CREATE).expect(201);
        return "/api/sequences/audit/" + name;
    }

    private void take(String name, String query, String key) {
        client.next("audit/" + name, query, key).expect(200);
    }

    private JsonNode get(String path) {
        return client.get(path).expect(200).body();
    }

    @Test
    void checkNamesTheNumbersOfEachPage() {
        String monthly = define(
                "monthly",
                "{\"guarantee\": \"gapless\", \"resetEvery\": \"month\", \"timeZone\": \"UTC\", \"increment\": 10}");
        take("monthly", "?date=2026-10-05&count=2", "a");
        take("monthly", "?date=2026-11-05", "b");
        client.send("POST", monthly + "/advance?date=2026-11-06", "{\"nextAtLeast\": 40}")
                .expect(200);
        take("monthly", "?date=2026-11-07", "c");
        client.send("DELETE", monthly, null, "If-Match", "*").expect(204);

        Instant before = Instant.now();
        JsonNode october = get(monthly + "/check");
        Instant checkedAt = Instant.parse(october.get("checkedAt").textValue());
        assertFalse(checkedAt.isBefore(before.minusSeconds(1))
                || checkedAt.isAfter(Instant.now().plusSeconds(1)));
        JsonNode november = get(
                monthly + "/check?continuation=" + october.get("continuation").textValue());

        assertEquals(
                "{\"scope\":\"audit\",\"name\":\"monthly\",\"period\":\"2026-10\",\"from\":1,\"to\":11,\"allocated\":2,\"void\":0,\"reserved\":0,\"gaps\":[]}",
                withoutTimes(october));
        String expected =
                "{\"scope\":\"audit\",\"name\":\"monthly\",\"period\":\"2026-11\",\"from\":1,\"to\":41,\"allocated\":2,\"void\":0,\"reserved\":0,\"gaps\":["
                        + "{\"first\":11,\"last\":31,\"kind\":\"advanced\",\"before\":{\"key\":\"b\",\"number\":1},\"after\":{\"key\":\"c\",\"number\":41}}]}";
        assertEquals(expected, withoutTimes(november));
        assertEquals(expected, withoutTimes(get(monthly + "/check?date=2026-11-30")));
        assertEquals(
                "{\"scope\":\"audit\",\"name\":\"monthly\",\"period\":\"2026-11\",\"from\":11,\"to\":21,\"allocated\":0,\"void\":0,\"reserved\":0,\"gaps\":["
                        + "{\"first\":11,\"last\":21,\"kind\":\"advanced\",\"before\":{\"key\":\"b\",\"number\":1}}]}",
                withoutTimes(get(monthly + "/check?date=2026-11-30&from=2&to=30")));
        assertEquals(
                "{\"scope\":\"audit\",\"name\":\"monthly\",\"period\":\"2026-09\",\"allocated\":0,\"void\":0,\"reserved\":0,\"gaps\":[]}",
                withoutTimes(get(monthly + "/check?date=2026-09-30")));
    }

    private static String withoutTimes(JsonNode page) {
        ObjectNode copy = page.deepCopy();
        copy.remove(List.of("checkedAt", "continuation"));
        copy.findParents("allocatedAt").forEach(neighbor -> ((ObjectNode) neighbor).remove("allocatedAt"));
        return copy.toString();
    }

    @Test
    void reportsWhatCannotBeChecked() {
        for (String kind : List.of("{\"guarantee\": \"cached\"}", "{\"cycle\": true}")) {
            String name = "kind-" + kind.length();
            JsonNode problem = client.get(define(name, kind) + "/check")
                    .expectProblem(409, "not-for-guarantee")
                    .body();
            assertEquals(
                    kind.contains("cached") ? "cached" : "strict",
                    problem.get("guarantee").textValue());
        }
        client.get("/api/sequences/audit/none/check").expectProblem(404, "unknown-sequence");
    }
}
