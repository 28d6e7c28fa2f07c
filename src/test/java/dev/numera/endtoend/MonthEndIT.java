package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A month of an accountant: invoices of a fiscal year with check digits, in the order of their dates, with all that
 * happens to numbers, and then the filing.
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
    }
}
