package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sequences and lists that need a person, as a caller sees them. */
class AttentionOverHttpIT {
    private static final NumeraClient CLIENT = SharedHost.client();
    private static final String JSON = "application/json";

    private static void define(String sequence, String definition) {
        CLIENT.send("PUT", "/api/sequences/" + sequence, definition, "If-None-Match", "*")
                .expect(201);
    }

    private static JsonNode look(String query) {
        return CLIENT.get("/api/attention" + query).expect(200).body();
    }

    @Test
    void eachKindHasItsFiguresAndWhatToDo() {
        define("attention/invoice", "{\"maxValue\": 10, \"timeZone\": \"UTC\"}");
        YearMonth month = YearMonth.now(ZoneOffset.UTC).minusMonths(1);
        for (int i = 1; i <= 9; i++) {
            String date = i < 9 ? "?date=" + month.atDay(i) : "?reserve=true";
            CLIENT.next("attention/invoice", date, "key-" + i).expect(200);
        }
        CLIENT.send("POST", "/api/sequences/attention/invoice/suspend", "{\"reason\": \"audit\"}", "Content-Type", JSON)
                .expect(200);
        CLIENT.send(
                        "POST",
                        "/api/sequences/attention/invoice/closings",
                        "{\"dateFrom\": \"" + month.atDay(1) + "\", \"dateTo\": \"" + month.atEndOfMonth() + "\"}",
                        "Content-Type",
                        JSON)
                .expect(201);
        CLIENT.send(
                        "POST",
                        "/api/sequences/attention/invoice/status",
                        "{\"key\": \"key-3\", \"status\": \"void\", \"reason\": \"lost\"}",
                        "Content-Type",
                        JSON)
                .expect(200);

        JsonNode page = look("?scope=attention&reservedDays=0");

        assertEquals(
                List.of("suspended", "nearly-used", "reserved", "month-changed"),
                page.get("entries").findValuesAsText("kind"));
        assertEquals(1, page.get("searched").intValue());
        page.get("entries").forEach(entry -> {
            assertEquals(
                    "attention invoice",
                    entry.get("scope").textValue() + " " + entry.get("name").textValue());
            assertFalse(entry.get("action").textValue().isEmpty());
        });
        assertEquals("audit", page.at("/entries/0/reason").textValue());
        assertEquals(1, page.at("/entries/1/left").intValue());
        assertEquals("key-9", page.at("/entries/2/key").textValue());
        assertEquals(month.toString(), page.at("/entries/3/month").textValue());
        assertEquals(1, page.at("/entries/3/count").intValue());
    }

    @Test
    void anImportWithRefusedRowsIsNamed() {
        define("imported/invoice", "{\"timeZone\": \"UTC\"}");
        String location = CLIENT.send(
                        "POST",
                        "/api/sequences/imported/invoice/imports?keyColumn=key&numberColumn=number",
                        "key,number\na,1\nb,0\n",
                        "Content-Type",
                        "text/csv")
                .expect(202)
                .location();
        JsonNode done =
                CLIENT.awaitUpload(location, Duration.ofSeconds(60), () -> "").body();
        JsonNode entry = look("?scope=imported").at("/entries/0");
        assertEquals("refused-rows", entry.path("kind").asText(), done::toString);
        assertEquals(1, entry.get("count").intValue());
        assertEquals("import", entry.get("list").textValue());
        assertTrue(location.contains(entry.get("id").textValue()));
        Duration kept =
                Duration.between(Instant.now(), Instant.parse(entry.get("until").textValue()));
        assertTrue(kept.toDays() >= 29 && kept.toDays() <= 30, kept::toString);
    }

    @Test
    void pagesAndParametersAreChecked() {
        define("paged/a", "{}");
        define("paged/b", "{}");
        JsonNode first = look("?scope=paged&limit=1");
        assertEquals(1, first.get("searched").intValue());
        JsonNode second = look(
                "?scope=paged&limit=1&continuation=" + first.get("continuation").textValue());
        assertEquals(1, second.get("searched").intValue());
        for (String wrong : List.of("?limit=51", "?limit=0", "?reservedDays=-1", "?scope=a%20b", "?continuation=x")) {
            CLIENT.get("/api/attention" + wrong).expectProblem(400, "invalid-request");
        }
    }
}
