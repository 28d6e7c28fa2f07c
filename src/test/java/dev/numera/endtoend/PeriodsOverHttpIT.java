package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The periods of a sequence as a caller sees them. */
class PeriodsOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};

    private final NumeraClient client = SharedHost.client();

    private String define(String name, String definition) {
        client.send("PUT", "/api/sequences/periods/" + name, definition, CREATE).expect(201);
        return "/api/sequences/periods/" + name;
    }

    private void take(String name, String query) {
        client.next("periods/" + name, query, null).expect(200);
    }

    private JsonNode get(String path) {
        return client.get(path).expect(200).body();
    }

    @Test
    void everyPeriodIsListedWithItsState() {
        String yearly = define("yearly", "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\"}");
        assertEquals("[]", get(yearly + "/periods").get("periods").toString());
        int year = LocalDate.now(ZoneOffset.UTC).getYear();
        List<Integer> years = List.of(year - 8, year - 2, year - 1, year);
        years.forEach(of -> take("yearly", "?date=" + of + "-06-01"));
        client.send("DELETE", yearly, null, "If-Match", "*").expect(204);

        List<JsonNode> listed = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = get(yearly + "/periods?limit=3" + next);
            page.get("periods").forEach(listed::add);
            next = page.has("continuation")
                    ? "&continuation=" + page.get("continuation").textValue()
                    : null;
        } while (next != null);

        assertEquals(
                years.stream()
                        .map(of -> get(yearly + "/state?date=" + of + "-01-01"))
                        .toList(),
                listed);
        assertTrue(listed.get(0).has("retiredAt"));
        listed.forEach(
                period -> assertEquals(period.get("changedAt"), period.get("firstAllocatedAt"), period::toString));
        assertFalse(get(yearly + "/periods?limit=4").has("continuation"));
    }

    @Test
    void aSequenceThatIsNeverResetHasOneEntryWithoutAPeriod() {
        String plain = define("plain", "{\"guarantee\": \"cached\"}");
        take("plain", "");

        JsonNode periods = get(plain + "/periods").get("periods");
        assertEquals(1, periods.size());
        assertEquals(get(plain + "/state"), periods.get(0));
        client.get("/api/sequences/periods/none/periods").expectProblem(404, "unknown-sequence");
    }
}
