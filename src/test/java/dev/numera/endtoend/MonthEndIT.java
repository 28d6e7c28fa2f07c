package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An accountant's month: invoices of a fiscal year with check digits, in the order of their dates, with every change of
 * status, and the closing at the end.
 */
class MonthEndIT {
    private static final String INVOICE = "/api/sequences/office/invoice";
    private static final String[] BY_ANNA = {"If-Match", "*", "Numera-Actor", "anna"};

    private final NumeraClient client = SharedHost.client();

    private String text(String key, String date, String more) {
        return client.next("office/invoice", "?date=" + date + more, key)
                .expect(200)
                .body()
                .at("/texts/0")
                .textValue();
    }

    private JsonNode post(String call, String body) {
        return client.send("POST", INVOICE + call, body, "Numera-Actor", "anna")
                .expect(200)
                .body();
    }

    private JsonNode get(String call) {
        return client.get(INVOICE + call).expect(200).body();
    }

    @Test
    void checksAndPrintsAMonth() {
        client.send(
                        "PUT",
                        INVOICE,
                        "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"fiscalYearStart\": 4, \"dateOrder\": \"ascending\","
                                + " \"format\": \"R{fy:2-2}-{n:4}{check:mod11-10}\", \"description\": \"Outgoing invoices\"}",
                        "If-None-Match",
                        "*",
                        "Numera-Actor",
                        "anna")
                .expect(201);
        String first = text("order-1", "2026-11-02", "&reserve=true");
        assertTrue(first.matches("R26-27-0001\\d"), first);
        String second = text("order-2", "2026-11-03", "&reserve=true");
        text("order-3", "2026-11-03", "&reserve=true");
        client.next("office/invoice", "?date=2026-11-02", "order-4").expectProblem(409, "date-order");
        post("/status", "{\"key\": \"order-1\", \"status\": \"issued\"}");
        post("/status", "{\"key\": \"order-2\", \"status\": \"issued\"}");
        post("/status", "{\"key\": \"order-3\", \"status\": \"void\", \"reason\": \"The customer left.\"}");
        post("/advance?date=2026-11-10", "{\"nextAtLeast\": 10, \"reason\": \"4 to 9 were written by hand.\"}");
        client.send("PATCH", INVOICE, "{\"format\": \"R{fy:2-2}/{n:5}{check:mod11-10}\"}", BY_ANNA)
                .expect(200);
        String changed = text("order-10", "2026-11-20", "");
        assertTrue(changed.matches("R26-27/00010\\d"), changed);
        assertEquals(first, text("order-1", "2026-11-02", ""), "a replay keeps its text, whatever date is reached");

        assertEquals(
                "order-2", get("/ledger?text=" + second).at("/entries/0/key").textValue());
        assertEquals(
                "order-10", get("/ledger?text=" + changed).at("/entries/0/key").textValue());
        assertEquals(
                List.of("order-1", "order-2", "order-3", "order-10"),
                get("/ledger?dateFrom=2026-11-01&dateTo=2026-11-30").findValuesAsText("key"));
        JsonNode check = get("/check?date=2026-11-30");
        assertEquals(
                "[4,1,0,1,10]",
                List.of("allocated", "void", "reserved", "from", "to").stream()
                        .map(check::get)
                        .toList()
                        .toString()
                        .replace(" ", ""));
        JsonNode gap = check.get("gaps").get(0);
        assertEquals(
                List.of("4", "9", "advanced", "4 to 9 were written by hand."),
                List.of(
                        gap.get("first").asText(),
                        gap.get("last").asText(),
                        gap.get("kind").asText(),
                        gap.get("reason").asText()));
        assertEquals(1, check.get("gaps").size());
        List<String> lines = client.send("GET", INVOICE + "/ledger?date=2026-11-30", null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body()
                .lines()
                .toList();
        assertEquals(6, lines.size(), lines::toString);
        assertTrue(lines.get(3).contains(",void,The customer left.,"), lines::toString);
        assertTrue(lines.get(4).startsWith("advance,4,9,"), lines::toString);
        assertEquals(List.of("created", "advanced", "changed"), get("/changes").findValuesAsText("kind"));
        assertEquals("2026-11-20", get("/state?date=2026-11-30").get("lastDate").textValue());
        checksDatesThatAreNoRangeOfNumbers();
        recordsClosings();
    }

    private void checksDatesThatAreNoRangeOfNumbers() {
        String firstDays = "/check?dateFrom=2026-11-01&dateTo=2026-11-05";
        JsonNode inOrder = get(firstDays);
        assertEquals("1 to 3: 3, 1 void, others 0", summary(inOrder));
        assertEquals(
                "2026-11-01 2026-11-05",
                inOrder.get("dateFrom").textValue() + " "
                        + inOrder.get("dateTo").textValue());
        assertEquals(List.of("4"), inOrder.get("gaps").findValuesAsText("first"), "it adjoins the last one");
        imported("{\"key\": \"old\", \"number\": 20, \"date\": \"2026-11-04\"}");

        JsonNode outOfOrder = get(firstDays);
        assertEquals("1 to 20: 4, 1 void, others 1", summary(outOfOrder));
        assertEquals(List.of("4", "11"), outOfOrder.get("gaps").findValuesAsText("first"));
        assertEquals("10 to 10: 1, 0 void, others 0", summary(get("/check?dateFrom=2026-11-06&dateTo=2026-11-30")));
        JsonNode none = get("/check?dateTo=2026-10-31");
        assertEquals(
                List.of(0, 0),
                List.of(none.get("allocated").intValue(), none.get("gaps").size()));
        assertTrue(none.path("from").isMissingNode(), none::toString);
    }

    private void imported(String row) {
        String location = client.send("POST", INVOICE + "/imports", "{\"rows\": [" + row + "]}")
                .expect(202)
                .location();
        client.awaitUpload(location, Duration.ofMinutes(1), SharedHost.process()::output);
    }

    private JsonNode closed() {
        return client.send(
                        "POST",
                        INVOICE + "/closings",
                        "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-05\"}",
                        "Numera-Actor",
                        "anna")
                .expect(201)
                .body();
    }

    private void recordsClosings() {
        JsonNode first = closed();
        assertEquals(
                "[4, 1, 0, 0, 2]",
                Stream.of("allocated", "void", "reserved", "refused", "gapCount")
                        .map(first::get)
                        .toList()
                        .toString());
        assertEquals(
                "{\"period\":\"2027\",\"first\":11,\"last\":19,\"kind\":\"unimported\",\"reason\":\"import ID\"}",
                first.get("gaps").get(1).toString().replaceAll("[0-9a-f]{32}", "ID"));
        assertEquals(
                "anna UTC",
                first.get("actor").textValue() + " " + first.get("timeZone").textValue());
        assertEquals("4 to 9 were written by hand.", first.at("/gaps/0/reason").textValue(), first::toString);
        assertTrue(first.path("changed").isMissingNode(), first::toString);
        JsonNode same = closed();
        assertEquals(first.get("sha256"), same.get("sha256"), "nothing changed");
        assertEquals("0 []", same.get("changedCount") + " " + same.get("changed"));

        post("/status", "{\"key\": \"order-2\", \"status\": \"void\", \"reason\": \"Late.\"}");
        JsonNode late = closed();
        assertEquals(2, late.get("void").intValue());
        assertNotEquals(first.get("sha256"), late.get("sha256"));
        assertEquals(same.get("id"), late.get("comparedWith"));
        assertEquals(
                "[{\"key\":\"order-2\",\"first\":2,\"status\":\"void\",\"last\":2,\"text\":\"R26-27-00025\",\"period\":\"2027\","
                        + "\"at\":\"TIME\",\"actor\":\"anna\",\"reason\":\"Late.\"}]",
                late.get("changed").toString().replaceAll("\"at\":\"[^\"]+\"", "\"at\":\"TIME\""));
        assertTrue(late.get("changedExact").booleanValue(), late::toString);
        imported("{\"key\": \"older\", \"number\": 5, \"date\": \"2026-11-05\"}");
        text("order-21", "2026-11-20", "");
        JsonNode added = closed();
        assertEquals(
                "1 \"older\" 5 \"issued\" \"2027\"",
                Stream.of(
                                "/changedCount",
                                "/changed/0/key",
                                "/changed/0/first",
                                "/changed/0/status",
                                "/changed/0/period")
                        .map(field -> added.at(field).toString())
                        .collect(Collectors.joining(" ")));
        assertTrue(
                client.send("POST", INVOICE + "/closings", "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-06\"}")
                        .expect(201)
                        .body()
                        .path("comparedWith")
                        .isMissingNode(),
                "another range");
        JsonNode listed = get("/closings").get("closings");
        assertEquals(5, listed.size());
        assertEquals(first, listed.get(0));
        assertEquals(late, listed.get(2));
        for (String body : List.of(
                "{\"dateFrom\": \"2026-11-01\"}",
                "{\"dateFrom\": \"2026-11-06\", \"dateTo\": \"2026-11-05\"}",
                "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-31\"}",
                "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-30\", \"date\": \"2026-11-01\"}")) {
            client.send("POST", INVOICE + "/closings", body).expectProblem(400, "invalid-request");
        }
    }

    /** Numbers without a key leave no row, so a closing cannot list them and its gap grows. */
    @Test
    void showsNumbersWithoutKeysAsGaps() {
        String dates = "{\"dateFrom\": \"2026-11-01\", \"dateTo\": \"2026-11-30\"}";
        client.next("office/slip", "?date=2026-11-02", "slip").expect(200);
        client.next("office/slip", "?date=2026-11-02&count=3", null).expect(200);
        client.next("office/slip", "?date=2026-11-02", "last").expect(200);
        String closings = "/api/sequences/office/slip/closings";
        client.send("POST", closings, dates).expect(201);
        client.next("office/slip", "?date=2026-11-02&count=2", null).expect(200);
        JsonNode again = client.send("POST", closings, dates).expect(201).body();

        assertEquals(
                "[{\"first\":2,\"last\":4,\"kind\":\"unrecorded\"},{\"first\":6,\"last\":7,\"kind\":\"unrecorded\"}] 0",
                again.get("gaps") + " " + again.get("changedCount"));
    }

    private static String summary(JsonNode check) {
        return check.get("from") + " to " + check.get("to") + ": " + check.get("allocated") + ", " + check.get("void")
                + " void, others " + check.get("otherDates");
    }
}
