package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import dev.numera.fixtures.SharedQueues;
import dev.numera.fixtures.SharedQueues.AnswerPart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of numbers after their allocation, as a shop and its accountant use it. */
class StatusOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};

    private final NumeraClient client = SharedHost.client();

    private static String path(String name) {
        return "/api/sequences/desk/" + name;
    }

    private Reply setStatus(String name, String body, String... headers) {
        return client.send("POST", path(name) + "/status", body, headers);
    }

    private Reply issue(String name, String key) {
        return setStatus(name, "{\"key\": \"" + key + "\", \"status\": \"issued\"}");
    }

    private Reply makeVoid(String name, String key, String reason) {
        return setStatus(name, "{\"key\": \"" + key + "\", \"status\": \"void\", \"reason\": \"" + reason + "\"}");
    }

    private JsonNode next(String name, String query, String key) {
        return client.next("desk/" + name, query, key).expect(200).body();
    }

    private JsonNode get(String path) {
        return client.get(path).expect(200).body();
    }

    private static List<String> keys(JsonNode page) {
        List<String> keys = new ArrayList<>();
        page.get("entries").forEach(entry -> keys.add(entry.get("key").textValue()));
        return keys;
    }

    /** A shop reserves a number at the checkout, voids it when the payment fails, and pays under another key. */
    @Test
    void aVoidKeyIsRefusedAndAnotherKeyIsNumbered() {
        JsonNode reserved = next("shop", "?reserve=true", "order-1");
        assertEquals("reserved", reserved.get("status").textValue());
        JsonNode failed =
                makeVoid("shop", "order-1", "payment failed").expect(200).body();
        assertEquals(
                List.of("void", "payment failed", 1L),
                List.of(
                        failed.get("status").textValue(),
                        failed.get("reason").textValue(),
                        failed.get("first").longValue()));
        assertFalse(Instant.parse(failed.get("statusAt").textValue())
                .isBefore(Instant.parse(reserved.get("statusAt").textValue())));

        Reply again = client.next("desk/shop", "?reserve=true", "order-1").expectProblem(409, "key-void");
        assertEquals(failed, again.body().get("allocation"));
        assertEquals(2, next("shop", "", "order-1-again").get("first").longValue());
    }

    @Test
    void theHistoryOfAKeyHasEachStatusWithItsTimeAndActor() {
        client.send("POST", path("story") + "/next?reserve=true", "", "Idempotency-Key", "told", "Numera-Actor", "anna")
                .expect(200);
        setStatus("story", "{\"key\": \"told\", \"status\": \"issued\"}", "Numera-Actor", "ben")
                .expect(200);
        makeVoid("story", "told", "torn").expect(200);
        next("story", "", "plain");

        JsonNode entry = get(path("story") + "/ledger?key=told").get("entries").get(0);
        JsonNode history = entry.get("history");
        List<String> told = new ArrayList<>();
        history.forEach(each -> told.add(
                each.get("status").textValue() + " " + each.path("actor").asText("unknown") + " "
                        + each.path("reason").asText("-")));
        assertEquals(List.of("reserved anna -", "issued ben -", "void unknown torn"), told);
        assertEquals(entry.get("allocatedAt"), history.get(0).get("at"));
        assertEquals(entry.get("statusAt"), history.get(2).get("at"));
        assertFalse(get(path("story") + "/ledger").get("entries").get(0).has("history"));
        assertFalse(
                get(path("story") + "/ledger?key=plain").get("entries").get(0).has("history"));
    }

    /** Every read of a key shows the actors, and a replay by another caller does not change them. */
    @Test
    void whoAllocatedAndWhoVoidedIsShownEverywhere() {
        JsonNode taken = client.send(
                        "POST",
                        path("named") + "/next?reserve=true",
                        "",
                        "Idempotency-Key",
                        "order-1",
                        "Numera-Actor",
                        "J%C3%B6rg M%C3%BCller")
                .expect(200)
                .body();
        assertEquals("J\u00f6rg M\u00fcller", taken.get("actor").textValue());
        assertEquals("J\u00f6rg M\u00fcller", taken.get("statusActor").textValue());
        client.send("POST", path("named") + "/next", "", "Idempotency-Key", "order-2", "Numera-Actor", "carl")
                .expect(200);
        next("named", "", "order-3");
        assertEquals(
                "J\u00f6rg M\u00fcller",
                next("named", "", "order-1").get("actor").textValue());
        JsonNode voided = setStatus(
                        "named",
                        "{\"key\": \"order-1\", \"status\": \"void\", \"reason\": \"late\"}",
                        "Numera-Actor",
                        "anna")
                .expect(200)
                .body();
        for (JsonNode shown : List.of(
                voided,
                get(path("named") + "/ledger?key=order-1").at("/entries/0"),
                get(path("named") + "/ledger?status=void").at("/entries/0"),
                get(path("named") + "/ledger").at("/entries/0"))) {
            assertEquals("J\u00f6rg M\u00fcller", shown.get("actor").textValue(), shown::toString);
            assertEquals("anna", shown.get("statusActor").textValue(), shown::toString);
        }
        JsonNode entries = get(path("named") + "/ledger").get("entries");
        assertEquals("carl", entries.get(1).get("actor").textValue());
        assertFalse(entries.get(2).has("actor"), "the caller of order-3 named no one");
        List<String> lines = client.send("GET", path("named") + "/ledger", null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body()
                .lines()
                .toList();
        assertEquals(
                List.of("J\u00f6rg M\u00fcller,anna,,", "carl,,,", ",,,"),
                lines.stream()
                        .skip(1)
                        .map(line -> line.split("(,)(?=[^,]*,[^,]*,[^,]*,[^,]*$)", 2)[1])
                        .toList());
        setStatus("named", "{\"key\": \"order-2\", \"status\": \"issued\"}", "Numera-Actor", "%C3")
                .expectProblem(400, "invalid-request");
    }

    @Test
    void uploadRecordsWhoSentIt() {
        Reply accepted = client.send(
                        "POST",
                        path("list") + "/batches",
                        "{\"keys\": [\"a\", \"b\"]}",
                        "Idempotency-Key",
                        "list",
                        "Numera-Actor",
                        "anna")
                .expect(202);
        client.awaitUpload(accepted.location(), Duration.ofMinutes(1), () -> "");
        assertEquals(
                List.of("anna", "anna"),
                get(path("list") + "/ledger").get("entries").findValuesAsText("actor"));
    }

    /** Three numbers are reserved, two confirmed and one voided before the month is filed. */
    @Test
    void ledgerShowsTheStatusOfEachNumber() {
        client.send(
                        "PUT",
                        path("invoice"),
                        "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\": \"R{fy:2}-{n:4}{check:luhn}\"}",
                        CREATE)
                .expect(201);
        for (int i = 1; i <= 4; i++) {
            next("invoice", i < 4 ? "?reserve=true&date=2026-11-0" + i : "?date=2026-11-04", "order-" + i);
        }
        next("invoice", "?reserve=true&date=2025-03-01", "late");
        issue("invoice", "order-1").expect(200);
        JsonNode issued = issue("invoice", "order-2").expect(200).body();
        assertEquals("issued", issued.get("status").textValue());
        assertEquals(issued, issue("invoice", "order-2").expect(200).body(), "the same again answers the same");
        JsonNode failed =
                makeVoid("invoice", "order-3", "=customer left").expect(200).body();
        assertEquals(
                failed,
                makeVoid("invoice", "order-3", "=customer left").expect(200).body());

        assertEquals(List.of("order-3"), keys(get(path("invoice") + "/ledger?status=void")));
        assertEquals(List.of("late"), keys(get(path("invoice") + "/ledger?status=reserved")));
        assertEquals(List.of(), keys(get(path("invoice") + "/ledger?status=reserved&date=2026-11-30")));
        JsonNode page = get(path("invoice") + "/ledger?date=2026-11-30");
        assertEquals(List.of("order-1", "order-2", "order-3", "order-4"), keys(page));
        JsonNode entry = page.get("entries").get(2);
        assertEquals("=customer left", entry.get("reason").textValue());
        assertFalse(page.get("entries").get(3).has("status"), "nothing was said of what is simply issued");
        String text = entry.get("texts").get(0).textValue();
        assertEquals(
                entry,
                get(path("invoice") + "/ledger?text=" + text).get("entries").get(0));
        ObjectNode byKey = (ObjectNode)
                get(path("invoice") + "/ledger?key=order-3").get("entries").get(0);
        assertEquals(2, byKey.remove("history").size(), "reserved, then void");
        assertEquals(entry, byKey);

        String csv = client.send("GET", path("invoice") + "/ledger?date=2026-11-30", null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body();
        assertEquals(
                "allocation,3," + "," + text + ",order-3,2026,2026-11-03,"
                        + entry.get("allocatedAt").textValue() + ",void,'=customer left,"
                        + entry.get("statusAt").textValue() + ",,,,",
                csv.split("\r\n")[3]);

        JsonNode check = get(path("invoice") + "/check?date=2026-11-30");
        assertEquals(
                List.of(4, 1, 0),
                List.of(
                        check.get("allocated").intValue(),
                        check.get("void").intValue(),
                        check.get("reserved").intValue()));
        assertEquals(
                1,
                get(path("invoice") + "/check?date=2025-12-01").get("reserved").intValue());
        assertEquals(
                0,
                get(path("invoice") + "/check?date=2025-12-01&reservedBefore=2025-01-01T00:00:00Z")
                        .get("reserved")
                        .intValue());
    }

    @Test
    void pagesOfOneStatusFollowOneAnother() {
        for (int i = 1; i <= 5; i++) {
            next("paged", "?reserve=true&count=2", "order-" + i);
        }
        issue("paged", "order-2").expect(200);
        List<String> read = allPages("paged", "?status=reserved&from=2&to=9&limit=2");
        assertEquals(List.of("order-1", "order-3", "order-4", "order-5"), read);
    }

    /** A page covers a thousand marks, wherever the requested numbers are. */
    @ParameterizedTest
    @CsvSource({"never, 1, 50, 0", "never, 1050, 1060, 0", "year, 1, 3, 3", "year, 2, 3, 2"})
    void pagesOfOneStatusEndWithTheRange(String resetEvery, int from, int to, int ofNextYear) {
        String name = "marked-" + resetEvery + "-" + from;
        client.send("PUT", path(name), "{\"resetEvery\": \"" + resetEvery + "\", \"timeZone\": \"UTC\"}", CREATE)
                .expect(201);
        reserve(name, "2026-02-01", 1_100);
        reserve(name, "2027-02-01", 3);

        List<String> expected = new ArrayList<>();
        IntStream.rangeClosed(from, to).forEach(number -> expected.add("2026-02-01 " + number));
        IntStream.rangeClosed(to - ofNextYear + 1, to).forEach(number -> expected.add("2027-02-01 " + number));
        assertEquals(expected, allPages(name, "?status=reserved&from=" + from + "&to=" + to));
    }

    /** Reserves numbers with the date and the list position as the key, which is also the number within the period. */
    private void reserve(String name, String date, int count) {
        String rows = IntStream.rangeClosed(1, count)
                .mapToObj(i -> date + " " + i + "," + date)
                .collect(Collectors.joining("\n", "key,day\n", "\n"));
        String location = client.send(
                        "POST", path(name) + "/batches?reserve=true&dateColumn=day", rows, "Content-Type", "text/csv")
                .expect(202)
                .location();
        client.awaitUpload(location + "?limit=1", Duration.ofMinutes(2), () -> "");
    }

    @Test
    void documentsAreFoundByTheirDates() {
        client.send("PUT", path("dated"), "{\"resetEvery\": \"month\", \"timeZone\": \"UTC\"}", CREATE)
                .expect(201);
        client.send("PUT", path("endless"), "{}", CREATE).expect(201);
        for (String name : List.of("dated", "endless")) {
            for (String date :
                    List.of("2026-01-31", "2026-03-02", "2026-02-10", "2026-02-01", "2026-02-28", "2025-02-11")) {
                next(name, "?date=" + date, date);
            }
            next(name, "?reserve=true&date=2026-02-20", "held");
        }
        assertEquals(
                List.of("2026-02-10", "2026-02-01", "2026-02-28", "held", "2026-03-02"),
                allPages("dated", "?dateFrom=2026-02-01&dateTo=2026-03-02"));
        assertEquals(
                List.of("2026-03-02", "2026-02-10", "2026-02-01", "2026-02-28", "held"),
                allPages("endless", "?dateFrom=2026-02-01&dateTo=2026-03-02"));
        for (String name : List.of("dated", "endless")) {
            assertEquals(List.of("2025-02-11"), allPages(name, "?dateTo=2025-12-31"));
            assertEquals(List.of("2026-03-02"), allPages(name, "?dateFrom=2026-03-01&limit=1"));
            assertEquals(List.of("held"), allPages(name, "?dateFrom=2026-02-02&status=reserved"));
            assertEquals(List.of(), allPages(name, "?dateTo=2026-02-02&status=reserved"));
            assertEquals(List.of(), allPages(name, "?dateFrom=2027-01-01"));
        }
        assertEquals(List.of("2026-02-28"), allPages("dated", "?date=2026-02-01&dateFrom=2026-02-21"));
        client.get(path("dated") + "/ledger?dateFrom=2026-02-02&dateTo=2026-02-01")
                .expectProblem(400, "invalid-request");
    }

    private List<String> allPages(String name, String query) {
        List<String> keys = new ArrayList<>();
        String continuation = "";
        do {
            JsonNode page = get(path(name) + "/ledger" + query + continuation);
            keys.addAll(keys(page));
            continuation = page.has("continuation")
                    ? "&continuation=" + page.get("continuation").textValue()
                    : "";
        } while (!continuation.isEmpty());
        return keys;
    }

    @Test
    void aReplayChangesNoStatus() {
        next("replay", "?reserve=true", "a");
        assertEquals("reserved", next("replay", "", "a").get("status").textValue());
        next("replay", "", "b");
        assertFalse(next("replay", "?reserve=true", "b").has("status"));
        issue("replay", "a").expect(200);
        assertEquals(
                "issued", next("replay", "?reserve=true", "a").get("status").textValue());
    }

    @Test
    void voidIsFinalAndNamesTheAllocation() {
        next("final", "", "a");
        JsonNode first = makeVoid("final", "a", "lost").expect(200).body();
        for (Reply refused : List.of(issue("final", "a"), makeVoid("final", "a", "another reason"))) {
            assertEquals(
                    first, refused.expectProblem(409, "status-final").body().get("allocation"));
        }
        client.send("DELETE", path("final"), null, "If-Match", "*").expect(204);
        assertEquals(first, makeVoid("final", "a", "lost").expect(200).body(), "retired sequences answer too");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"status\": \"issued\"} | key",
                "{\"key\": 7, \"status\": \"issued\"} | key",
                "{\"key\": \" a\", \"status\": \"issued\"} | key",
                "{\"key\": \"a\"} | status",
                "{\"key\": \"a\", \"status\": \"reserved\"} | status",
                "{\"key\": \"a\", \"status\": \"VOID\", \"reason\": \"x\"} | status",
                "{\"key\": \"a\", \"status\": \"issued\", \"reason\": \"x\"} | reason",
                "{\"key\": \"a\", \"status\": \"void\"} | reason",
                "{\"key\": \"a\", \"status\": \"void\", \"reason\": \"\"} | reason",
                "{\"key\": \"a\", \"status\": \"void\", \"reason\": \"a\\u0007b\"} | reason",
                "{\"key\": \"a\", \"status\": \"void\", \"reason\": \"x\", \"why\": 1} | why",
            })
    void malformedFieldIsReportedByName(String body, String field) {
        next("form", "?reserve=true", "a");
        Reply refused = setStatus("form", body).expectProblem(400, "invalid-request");
        assertEquals(field, refused.body().get("errors").get(0).get("field").textValue());
        assertEquals("reserved", next("form", "", "a").get("status").textValue(), "a refusal changes nothing");
    }

    @Test
    void badStatusRequestIsRefused() {
        next("elsewhere", "", "a");
        String tooLong = "{\"key\": \"a\", \"status\": \"void\", \"reason\": \"" + "x".repeat(201) + "\"}";
        setStatus("elsewhere", tooLong).expectProblem(400, "invalid-request");
        setStatus("elsewhere", "{\"key\": \"a\", \"status\": \"issued\"}", "Numera-Actor", "x".repeat(101))
                .expectProblem(400, "invalid-request");
        client.next("desk/elsewhere", "?reserve=true", null).expectProblem(400, "invalid-request");
        client.next("desk/elsewhere", "?reserve=yes", "k").expectProblem(400, "invalid-request");
        client.get(path("elsewhere") + "/ledger?status=issued").expectProblem(400, "invalid-request");
        client.get(path("elsewhere") + "/check?reservedBefore=yesterday").expectProblem(400, "invalid-request");
        issue("elsewhere", "b").expectProblem(404, "unknown-key");
        issue("nothing", "a").expectProblem(404, "unknown-sequence");
        client.send("PUT", path("cached"), "{\"guarantee\": \"cached\"}", CREATE)
                .expect(201);
        issue("cached", "a").expectProblem(409, "not-for-guarantee");
        for (String query : List.of("", "?key=a", "?text=1", "?status=void", "?dateFrom=2026-01-01")) {
            client.get(path("cached") + "/ledger" + query).expectProblem(409, "not-for-guarantee");
        }
        client.next("desk/cached", "?reserve=true", "k").expectProblem(400, "key-refused");
        assertEquals(2, next("elsewhere", "", "b").get("first").longValue(), "no refusal took a number");
    }

    @Test
    void messageReservesAndReportsAVoidedKeyInItsPlace() {
        SharedQueues.send(
                "{\"id\": \"reserve-1\", \"scope\": \"desk\", \"name\": \"queue\", \"keys\": [\"a\", \"b\"], \"reserve\": true}");
        AnswerPart answer = SharedQueues.awaitAnswer("reserve-1");
        answer.allocations()
                .forEach(allocation ->
                        assertEquals("reserved", allocation.get("status").textValue()));
        makeVoid("queue", "a", "gone").expect(200);
        SharedQueues.send(
                "{\"id\": \"reserve-2\", \"scope\": \"desk\", \"name\": \"queue\", \"keys\": [\"a\", \"c\"]}");
        List<JsonNode> allocations = SharedQueues.awaitAnswer("reserve-2").allocations();
        assertEquals(
                "urn:problem-type:numera:key-void",
                allocations.get(0).get("problem").get("type").textValue());
        assertEquals(3, allocations.get(1).get("first").longValue());
    }

    @Test
    void anUploadReserves() {
        JsonNode done = upload("?reserve=true", "a\nb", "text/plain");
        assertEquals("reserved", done.get("allocations").get(1).get("status").textValue());
        makeVoid("upload", "b", "gone").expect(200);
        JsonNode second = upload("", "{\"keys\": [\"b\", \"c\"], \"reserve\": true}", "application/json");
        assertEquals("partial", second.get("status").textValue());
        assertEquals(
                "gone",
                second.get("allocations")
                        .get(0)
                        .get("problem")
                        .get("allocation")
                        .get("reason")
                        .textValue());
        assertEquals("reserved", second.get("allocations").get(1).get("status").textValue());
    }

    private JsonNode upload(String query, String body, String type) {
        String location = client.send("POST", path("upload") + "/batches" + query, body, "Content-Type", type)
                .expect(202)
                .location();
        return client.awaitUpload(location, Duration.ofSeconds(60), () -> "").body();
    }

    /** The message reserves more numbers than one transaction can mark. */
    @Test
    void aHundredReservationsOfOneMessageAreMarkedAll() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            keys.add("\"order-" + i + "\"");
        }
        SharedQueues.send("{\"id\": \"reserve-3\", \"scope\": \"desk\", \"name\": \"many\", \"keys\": " + keys
                + ", \"reserve\": true}");
        List<JsonNode> allocations = SharedQueues.awaitAnswer("reserve-3").allocations();
        for (int i = 0; i < 100; i++) {
            assertEquals(i + 1, allocations.get(i).get("first").longValue());
        }
        assertEquals(
                100,
                get(path("many") + "/ledger?status=reserved").get("entries").size());
    }
}
