package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invoices whose numbers must follow the order of their dates, as some laws require. */
class DateOrderOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] ANY = {"If-Match", "*"};

    private final NumeraClient client = SharedHost.client();

    private static String path(String name) {
        return "/api/sequences/dated/" + name;
    }

    private void define(String name, String fields) {
        client.send("PUT", path(name), "{\"dateOrder\": \"ascending\"" + fields + "}", CREATE)
                .expect(201);
    }

    private Reply next(String name, String date, String key) {
        return client.next("dated/" + name, "?date=" + date, key);
    }

    private JsonNode state(String name, String query) {
        return client.get(path(name) + "/state" + query).expect(200).body();
    }

    @Test
    void numbersComeInTheOrderOfDates() {
        define("invoice", ", \"guarantee\": \"gapless\", \"format\": \"{yyyy}{MM}{dd}-{n:3}\", \"timeZone\": \"UTC\"");
        assertFalse(state("invoice", "").has("lastDate"));
        next("invoice", "2026-11-02", "a").expect(200);
        next("invoice", "2026-11-02", "b").expect(200);
        next("invoice", "2026-11-05", "c").expect(200);

        JsonNode problem = next("invoice", "2026-11-04", "late")
                .expectProblem(409, "date-order")
                .body();
        assertEquals("2026-11-05", problem.get("lastDate").textValue());
        assertEquals("2026-11-05", state("invoice", "").get("lastDate").textValue());
        assertEquals(4, state("invoice", "").get("next").intValue(), "a refusal takes nothing");
        JsonNode again = next("invoice", "2026-11-02", "a").expect(200).body();
        assertEquals(
                List.of("20261102-001", true),
                List.of(
                        again.get("texts").get(0).textValue(),
                        again.get("replayed").booleanValue()));
        assertEquals(
                "20261105-004",
                next("invoice", "2026-11-05", "late")
                        .expect(200)
                        .body()
                        .get("texts")
                        .get(0)
                        .textValue());
    }

    /** The answer contains the date if a period or a text depends on it, and omits it otherwise. */
    @Test
    void allocationShowsTheDateThatCounts() {
        client.send("PUT", path("monthly"), "{\"resetEvery\": \"month\", \"timeZone\": \"UTC\"}", CREATE)
                .expect(201);
        JsonNode monthly = next("monthly", "2026-03-04", "a").expect(200).body();
        assertEquals(
                List.of("2026-03-04", "2026-03"),
                List.of(monthly.get("date").textValue(), monthly.get("period").textValue()));
        JsonNode again = client.next("dated/monthly", "", "a").expect(200).body();
        assertEquals(monthly.get("date"), again.get("date"), "a replay has the date of the first answer");
        client.send("PUT", path("shown"), "{\"format\": \"{yyyy}-{n}\", \"timeZone\": \"UTC\"}", CREATE)
                .expect(201);
        JsonNode shown = next("shown", "2026-03-04", "a").expect(200).body();
        assertEquals("2026-03-04", shown.get("date").textValue());
        assertFalse(shown.has("period"));
        client.send(
                        "PUT",
                        path("blocks"),
                        "{\"guarantee\": \"cached\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"}",
                        CREATE)
                .expect(201);
        JsonNode blocks = next("blocks", "2026-03-04", null).expect(200).body();
        assertEquals("2026", blocks.get("period").textValue());
        JsonNode plain = next("plain", "2026-03-04", "a").expect(200).body();
        assertFalse(plain.has("date") || plain.has("period"));

        String location = client.send(
                        "POST", path("monthly") + "/batches", "{\"keys\": [\"a\", \"b\"], \"date\": \"2026-03-20\"}")
                .expect(202)
                .location();
        JsonNode list = client.awaitUpload(location, Duration.ofMinutes(1), SharedHost.process()::output)
                .body();
        assertEquals(
                List.of("2026-03-04", "2026-03-20"),
                List.of(
                        list.at("/allocations/0/date").textValue(),
                        list.at("/allocations/1/date").textValue()));
    }

    @Test
    void aTypoIsRefusedBeforeItClosesTheYear() {
        define("typo", ", \"resetEvery\": \"year\", \"timeZone\": \"UTC\"");
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        String field = next("typo", today.plusDays(3).toString(), "a")
                .expectProblem(400, "invalid-request")
                .body()
                .at("/errors/0/field")
                .textValue();
        assertEquals("date", field);
        next("typo", today.plusDays(1).toString(), "b").expect(200);
        client.next("dated/typo", "", "no date").expect(200);
        next("typo", today.minusDays(1).toString(), "c").expectProblem(409, "date-order");
        // Each period has its own last date.
        String another = today.getYear() - 7 + "-12-31";
        next("typo", another, "d").expect(200);
        String february = another.replace("-12-31", "-02-01");
        assertEquals(another, state("typo", "?date=" + february).get("lastDate").textValue());
    }

    @Test
    void itMayBeSwitchedOffLaterAndNotOn() {
        define("changed", "");
        client.send("PATCH", path("changed"), "{\"dateOrder\": \"none\"}", ANY).expect(200);
        client.send("PATCH", path("changed"), "{\"dateOrder\": \"ascending\"}", ANY)
                .expect(200);
        next("changed", "2026-11-05", "a").expect(200);
        next("changed", "2026-11-04", "b").expectProblem(409, "date-order");
        JsonNode off = client.send("PATCH", path("changed"), "{\"dateOrder\": null}", ANY)
                .expect(200)
                .body();
        assertEquals("none", off.get("dateOrder").textValue());
        next("changed", "2026-11-04", "b").expect(200);
        assertFalse(state("changed", "").has("lastDate"));
        JsonNode fields = client.send("PATCH", path("changed"), "{\"dateOrder\": \"ascending\"}", ANY)
                .expectProblem(409, "immutable-field")
                .body()
                .get("fields");
        assertEquals("[\"dateOrder\"]", fields.toString());
    }

    @Test
    void itIsNotForBlocks() {
        for (String body : List.of(
                "{\"dateOrder\": \"ascending\", \"guarantee\": \"cached\"}",
                "{\"dateOrder\": \"up\"}",
                "{\"dateOrder\": true}")) {
            String field = client.send("PUT", path("wrong"), body, CREATE)
                    .expectProblem(400, "invalid-request")
                    .body()
                    .at("/errors/0/field")
                    .textValue();
            assertEquals("dateOrder", field, body);
        }
        client.send("PUT", path("cached"), "{\"guarantee\": \"cached\"}", CREATE)
                .expect(201);
        client.send("PATCH", path("cached"), "{\"dateOrder\": \"ascending\"}", ANY)
                .expectProblem(400, "invalid-request");
    }

    /** Rows with dates before the last one are refused individually, and the others get their numbers. */
    @Test
    void aListIsNumberedAsFarAsItsDatesAllow() {
        define("list", "");
        next("list", "2026-11-10", "first").expect(200);
        String csv = "order,day\nb,2026-11-11\na,2026-11-09\nc,2026-11-11\n";
        String location = client.send(
                        "POST",
                        path("list") + "/batches?keyColumn=order&dateColumn=day",
                        csv,
                        "Content-Type",
                        "text/csv")
                .expect(202)
                .location();
        JsonNode list = client.awaitUpload(location, Duration.ofMinutes(1), SharedHost.process()::output)
                .body();
        assertEquals("partial", list.get("status").textValue());
        assertEquals(
                "urn:problem-type:numera:date-order",
                list.at("/allocations/1/problem/type").textValue());
        assertEquals(
                List.of(2, 3),
                List.of(
                        list.at("/allocations/0/first").intValue(),
                        list.at("/allocations/2/first").intValue()));
        assertTrue(list.at("/allocations/1/problem/detail").textValue().contains("2026-11-1"));
    }
}
