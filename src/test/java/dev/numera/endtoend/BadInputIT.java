package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.RawHttp;
import dev.numera.fixtures.SharedHost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong requests: each answer names the mistake, and no request consumes, creates or changes anything. */
class BadInputIT {
    private static final String NEXT = "/api/sequences/bad/input/next";
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final int LONGEST_NAME = 63;

    private static String before;

    private final NumeraClient client = SharedHost.client();
    private final RawHttp raw = new RawHttp(SharedHost.process().baseUri());

    @BeforeAll
    static void makeTheSequence() {
        SharedHost.client()
                .send("PUT", "/api/sequences/bad/input", "{}", CREATE)
                .expect(201);
        before = everything();
    }

    @AfterEach
    void nothingHasHappened() {
        assertEquals(before, everything());
    }

    /**
     * Returns all sequences of the scope with their definitions, and the state of the sequence that most requests
     * address.
     */
    private static String everything() {
        return SharedHost.client()
                        .get("/api/sequences?scope=bad")
                        .expect(200)
                        .raw()
                        .body()
                + SharedHost.client()
                        .get("/api/sequences/bad/input/state")
                        .expect(200)
                        .raw()
                        .body();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "10001",
                "abc",
                "1e3",
                "",
                "1.0",
                "0x1",
                "%2B1",
                "+1",
                "%201",
                "1,1",
                "99999999999999999999",
                "%D9%A1"
            })
    void aCountIsAWholeNumberFromOneToTenThousand(String count) {
        refusedFor("count", client.next("bad/input", "?count=" + count, null));
    }

    @Test
    void repeatedOrEmptyParameterIsRefused() {
        refusedFor("count", client.next("bad/input", "?count=1&count=1", null));
        refusedFor("count", client.next("bad/input", "?count=1&count=", null));
        refusedFor("count", client.next("bad/input", "?count", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Count=1", "cuont=2", "limit=1", "=1", "%63ount%20=1"})
    void anUnknownParameterIsNamed(String parameter) {
        Reply reply = client.next("bad/input", "?" + parameter, null).expectProblem(400, "invalid-request");
        assertEquals(
                "is no parameter of this call: it knows",
                reply.body().at("/errors/0/reason").textValue().substring(0, 38));
    }

    @ParameterizedTest
    @ValueSource(strings = {"count=%zz", "count=%", "count=5|", "count={5}", "%=1", "date=\"2026-11-21\""})
    void aQueryIsPercentEncoded(String query) {
        RawHttp.RawAnswer answer = raw.send("POST", NEXT + "?" + query, "Content-Length: 0\r\n", "");
        assertEquals(400, answer.status());
        assertTrue(answer.body().contains("\"field\":\"url\""), answer.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".x",
                "-x",
                "_x",
                "x%20",
                "%20x",
                "x%2Fy",
                "x%5Cy",
                "x%23y",
                "x%3Fy",
                "x%01y",
                "x%0Ay",
                "x%7Fy",
                "x%C2%85y",
                "%D0%B0",
                "%E6%95%B0",
                "%EF%BC%91",
                "x%25y",
                "x+y",
                "x:y",
                "x'y",
                "x%ED%A0%80",
                "%FF"
            })
    void aNameIsOfAFewCharacters(String name) {
        for (String sequence : List.of("bad/" + name, name + "/input")) {
            RawHttp.RawAnswer answer =
                    raw.send("POST", "/api/sequences/" + sequence + "/next", "Content-Length: 0\r\n", "");
            assertEquals(400, answer.status(), sequence);
            assertTrue(
                    answer.body().contains(sequence.startsWith("bad/") ? "\"field\":\"name\"" : "\"field\":\"scope\""),
                    answer.body());
        }
    }

    @Test
    void aNameIsNotTooLong() {
        String longest = "x".repeat(LONGEST_NAME);
        refusedFor("name", client.next("bad/" + longest + "x"));
        refusedFor("scope", client.next(longest + "x/input"));
        client.get("/api/sequences/" + longest + "/" + longest + "/state").expectProblem(404, "unknown-sequence");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bad//next",
                "/input/next",
                "bad/in/put/next",
                "bad/input/next/",
                "bad/../next",
                "bad/%2e%2e/next",
                "bad/input//next"
            })
    void aPathThatIsOfNoRouteIsTheHosts(String path) {
        RawHttp.RawAnswer answer =
                raw.send("POST", "/api/sequences/" + path.replace("/next/", "/next/x"), "Content-Length: 0\r\n", "");
        assertEquals(404, answer.status());
        assertEquals("", answer.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bad/in\\put", "bad/in\u0001put", "bad/\u00d0\u00b0", "bad/in\tput", "bad/in%00put", "bad/in%put"
            })
    void aPathInUnescapedCharactersIsRefused(String sequence) {
        assertEquals(
                400,
                raw.send("POST", "/api/sequences/" + sequence + "/next", "Content-Length: 0\r\n", "")
                        .status());
    }

    @Test
    void templatesAllocateNoNumbers() {
        refusedFor("scope", client.next("~/input"));
        refusedFor("scope", client.send("POST", "/api/sequences/~/input/advance", "{\"nextAtLeast\": 5}"));
        client.send("PUT", "/api/sequences/~/padded", "{\"format\": \"{scope:6}{n:6}\"}", "If-None-Match", "*")
                .expect(201);
        refusedFor("scope", client.send("POST", "/api/sequences/~/padded/parse", "{\"text\": \"001234000028\"}"));
        refusedFor("scope", client.get("/api/sequences/~/padded/ledger?text=001234000028"));
    }

    @Test
    void aKeyHasOneTo255PrintableCharacters() {
        refusedFor("Idempotency-Key", client.next("bad/input", "", ""));
        refusedFor("Idempotency-Key", client.next("bad/input", "", "k".repeat(256)));
        refusedFor("Idempotency-Key", client.next("bad/input", "", "\"\""));
        refusedFor("Idempotency-Key", client.next("bad/input", "", "\" a\""));
        refusedFor("Idempotency-Key", client.next("bad/input", "", "\"a"));
        refusedFor("Idempotency-Key", client.next("bad/input", "", "\"a\\b\""));
        refusedFor("Idempotency-Key", client.next("bad/input", "", "a\tb"));
        RawHttp.RawAnswer foreign =
                raw.send("POST", NEXT, "Content-Length: 0\r\nIdempotency-Key: schl\u00fcssel\r\n", "");
        assertEquals(400, foreign.status());
        assertTrue(foreign.body().contains("Idempotency-Key"), foreign.body());
    }

    /**
     * Clients cannot send such a key: the text after a line break is another header, or no header, which makes the
     * server refuse the request.
     */
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\r\n b", "a\nb", "a\rb", "a\u0000b"})
    void aKeyWithALineBreakIsRefused(String key) {
        assertEquals(
                400,
                raw.send("POST", NEXT, "Content-Length: 0\r\nIdempotency-Key: " + key + "\r\n", "")
                        .status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"count\": 5}", "[]", "nil", "count=5", "5", "{", "{} {}", "\u0000"})
    void aBodyWhereNoneBelongsIsRefused(String body) {
        refusedFor("body", client.send("POST", NEXT, body));
        refusedFor("body", client.send("GET", "/api/sequences/bad/input", body));
        refusedFor("body", client.send("GET", "/api/sequences/bad/input/state", body));
        refusedFor("body", client.send("GET", "/api/sequences/bad/input/periods", body));
        refusedFor("body", client.send("GET", "/api/sequences/bad/input/ledger", body));
        refusedFor("body", client.send("GET", "/api/sequences/bad/input/check", body));
        refusedFor("body", client.send("GET", "/api/sequences", body));
        refusedFor("body", client.send("DELETE", "/api/sequences/bad/input", body, "If-Match", "*"));
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/next",
        "POST,/advance",
        "POST,/parse",
        "PUT,''",
        "DELETE,''",
        "GET,''",
        "GET,/state",
        "GET,/periods",
        "GET,/ledger",
        "GET,/check"
    })
    void aBodyInChunksIsRefused(String method, String call) {
        RawHttp.RawAnswer answer = raw.send(
                method,
                "/api/sequences/bad/input" + call,
                "If-Match: *\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
                "2\r\n{}\r\n0\r\n\r\n");
        assertEquals(411, answer.status());
        assertTrue(answer.body().contains("length-required"), answer.body());
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/next",
        "PUT,/next",
        "PATCH,/next",
        "DELETE,/next",
        "HEAD,/state",
        "POST,/state",
        "OPTIONS,''",
        "PATCH,/state",
        "POST,''",
        "POST,/periods",
        "POST,/ledger",
        "POST,/check",
        "GET,/parse",
        "GET,/advance",
        "GET,/nonsense",
        "POST,/batch"
    })
    void aMethodThatTheRouteDoesNotHaveIsTheHosts(String method, String call) {
        Reply reply =
                client.send(method, "/api/sequences/bad/input" + call, null).expect(404);
        assertEquals("", reply.raw().body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-30",
                "2026-13-01",
                "2026-2-3",
                "20260203",
                "0000-01-01",
                "10000-01-01",
                "-2026-01-01",
                "today",
                "2026-11-21T00:00:00Z",
                ""
            })
    void aDateIsADay(String date) {
        refusedFor("date", client.next("bad/input", "?date=" + date, null));
        refusedFor("date", client.get("/api/sequences/bad/input/state?date=" + date));
        refusedFor("date", client.get("/api/sequences/bad/input/ledger?date=" + date));
        refusedFor("date", client.get("/api/sequences/bad/input/check?date=" + date));
        refusedFor(
                "date", client.send("POST", "/api/sequences/bad/input/advance?date=" + date, "{\"nextAtLeast\": 5}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "-1", "x", ""})
    void aPageHasOneToAThousandEntries(String limit) {
        refusedFor("limit", client.get("/api/sequences?limit=" + limit));
        refusedFor("limit", client.get("/api/sequences/bad/input/ledger?limit=" + limit));
        refusedFor("limit", client.get("/api/sequences/bad/input/ledger?key=a&limit=" + limit));
        refusedFor("limit", client.get("/api/sequences/bad/input/periods?limit=" + limit));
    }

    @Test
    void aRangeOfTheLedgerIsARange() {
        refusedFor("from", client.get("/api/sequences/bad/input/ledger?from=2&to=1"));
        refusedFor("from", client.get("/api/sequences/bad/input/ledger?from=4000000000000000001"));
        refusedFor("to", client.get("/api/sequences/bad/input/ledger?to=1.5"));
        refusedFor("from", client.get("/api/sequences/bad/input/check?from=2&to=1"));
        refusedFor("from", client.get("/api/sequences/bad/input/check?from="));
        refusedFor("to", client.get("/api/sequences/bad/input/check?to=-4000000000000000001"));
        refusedFor("to", client.get("/api/sequences/bad/input/check?to=5&to=5"));
        refusedFor("limit", client.get("/api/sequences/bad/input/check?limit=5"));
        refusedFor("dateFrom", client.get("/api/sequences/bad/input/check?dateFrom=2026-11-31"));
        refusedFor("dateTo", client.get("/api/sequences/bad/input/check?dateFrom=2026-11-01&dateTo=2026-11"));
        refusedFor("dateFrom", client.get("/api/sequences/bad/input/check?dateFrom=2026-11-02&dateTo=2026-11-01"));
        for (String other : List.of("from=1", "to=5", "date=2026-11-21")) {
            String name = other.substring(0, other.indexOf('='));
            refusedFor(name, client.get("/api/sequences/bad/input/check?dateFrom=2026-11-01&" + other));
            refusedFor(name, client.get("/api/sequences/bad/input/check?dateTo=2026-11-30&" + other));
        }
        refusedFor("date", client.get("/api/sequences/bad/input/periods?date=2026-11-21"));
        refusedFor("key", client.get("/api/sequences/bad/input/ledger?key=a&from=5"));
        refusedFor("key", client.get("/api/sequences/bad/input/ledger?key=a&text=a"));
        refusedFor("text", client.get("/api/sequences/bad/input/ledger?text=a&from=5"));
        refusedFor("text", client.get("/api/sequences/bad/input/ledger?text=" + "t".repeat(256)));
        refusedFor("key", client.get("/api/sequences/bad/input/ledger?key=a%0Ab"));
        refusedFor("key", client.get("/api/sequences/bad/input/ledger?key=" + "k".repeat(256)));
    }

    @Test
    void aContinuationIsTheOneOfThePageBefore() {
        for (String name : List.of("a", "b")) {
            client.send("PUT", "/api/sequences/bad-pages/" + name, "{}", CREATE);
        }
        String token = client.get("/api/sequences?scope=bad-pages&limit=1")
                .expect(200)
                .body()
                .get("continuation")
                .textValue();
        List<String> tampered = new ArrayList<>(
                List.of("x", "%20" + token, token + "A", token.substring(1), token.substring(2), token + "="));
        for (int at = 0; at < token.length(); at++) {
            tampered.add(token.substring(0, at) + (token.charAt(at) == 'A' ? 'B' : 'A') + token.substring(at + 1));
        }
        tampered.forEach(changed ->
                refusedFor("continuation", client.get("/api/sequences?scope=bad-pages&continuation=" + changed)));
        refusedFor("continuation", client.get("/api/sequences?continuation=" + token));
        refusedFor("continuation", client.get("/api/sequences?scope=bad&continuation=" + token));
        for (String call : List.of("ledger", "periods", "check")) {
            refusedFor("continuation", client.get("/api/sequences/bad-pages/a/" + call + "?continuation=" + token));
        }
        client.get("/api/sequences?scope=bad-pages&limit=5&continuation=" + token)
                .expect(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "strat|{\"strat\": 5}",
                "Start|{\"Start\": 5}",
                "code|{\"code\": 5}",
                "format|{\"format\": \"INV-{number}\"}",
                "format|{\"format\": \"INV-{n:6\"}",
                "format|{\"format\": \"INV-n}\"}",
                "format|{\"format\": \"INV-{n:0}\"}",
                "format|{\"format\": \"INV-{n:99}\"}",
                "format|{\"format\": \"INV-{n:-1}\"}",
                "format|{\"format\": \"INV-{N}\"}",
                "format|{\"format\": \"INV-{}\"}",
                "format|{\"format\": \"INV\"}",
                "format|{\"format\": \"\"}",
                "format|{\"format\": \"{n}{r:19}\"}",
                "format|{\"format\": \"{n}\\u0000\"}",
                "format|{\"format\": \"{r:3}\"}",
                "format|{\"format\": \"{scope:6}{n}\"}",
                "format|{\"format\": 5}",
                "minValue|{\"minValue\": 10, \"maxValue\": 1}",
                "increment|{\"increment\": 0}",
                "increment|{\"increment\": 1000000000001}",
                "increment|{\"increment\": -9223372036854775808}",
                "increment|{\"increment\": 1.5}",
                "increment|{\"increment\": \"1\"}",
                "start|{\"start\": 0, \"minValue\": 1}",
                "start|{\"start\": 11, \"maxValue\": 10}",
                "start|{\"start\": 99999999999999999999}",
                "maxValue|{\"maxValue\": 4000000000000000001}",
                "timeZone|{\"timeZone\": \"Europe/Atlantis\"}",
                "timeZone|{\"timeZone\": \"\"}",
                "guarantee|{\"guarantee\": \"STRICT\"}",
                "guarantee|{\"guarantee\": [\"strict\"]}",
                "resetEvery|{\"resetEvery\": \"week\"}",
                "cycle|{\"cycle\": \"true\"}",
                "cycle|{\"cycle\": true, \"guarantee\": \"gapless\"}",
                "cacheSize|{\"cacheSize\": 0}",
                "cacheSize|{\"cacheSize\": 1000001}",
                "fiscalYearStart|{\"fiscalYearStart\": 13}",
                "fiscalYearStart|{\"fiscalYearStart\": \"04-29\"}",
                "fiscalYearStart|{\"fiscalYearStart\": \"4-6\"}",
                "fiscalYearStart|{\"fiscalYearStart\": 4294967297}",
                "start|{\"start\": 5.5}",
                "start|{\"start\": 1e30}",
                "start|{\"start\": 9223372036854775808.0}",
                "start|{\"start\": 1e1000000000}",
                "body|[]",
                "body|null",
                "body|{\"start\": 5",
                "body|{\"start\": 5} x",
                "body|{\"start\": 5, \"start\": 6}",
                "body|``",
            })
    void aDefinitionIsCheckedFieldByField(String field, String body) {
        Reply reply = client.send("PUT", "/api/sequences/bad/definition", body, CREATE);
        assertEquals(List.of(field.equals("format") && body.contains("scope") ? "scope" : field), fields(reply));
    }

    @Test
    void everyFieldIsCheckedBeforeThePrecondition() {
        Reply reply = client.send(
                "PUT",
                "/api/sequences/bad/definition",
                "{\"increment\": 0, \"cycle\": true, \"guarantee\": \"gapless\", \"format\": \"{x}\", \"stat\": 1}",
                "If-Match",
                "*");
        assertEquals(List.of("stat", "increment", "cycle", "format"), fields(reply));
    }

    @Test
    void aResetWithoutItsPeriodInTheTextIsRefusedWithAnExample() {
        for (String reset : List.of("year", "month", "day")) {
            Reply reply = client.send(
                            "PUT",
                            "/api/sequences/bad/definition",
                            "{\"resetEvery\": \"" + reset + "\", \"timeZone\": \"UTC\", \"format\": \"INV-{n:6}\"}",
                            CREATE)
                    .expectProblem(409, "texts-could-repeat");
            JsonNode examples = reply.body().get("examples");
            assertEquals(examples.get(0).get("text"), examples.get(1).get("text"));
            assertTrue(!examples.get(0).get("period").equals(examples.get(1).get("period")), examples::toString);
        }
    }

    @Test
    void aBodyIsJsonOfAReasonableSize() {
        client.send(
                        "PUT",
                        "/api/sequences/bad/definition",
                        "start=5",
                        "If-None-Match",
                        "*",
                        "Content-Type",
                        "application/x-www-form-urlencoded")
                .expectProblem(415, "unsupported-media-type");
        client.send("PUT", "/api/sequences/bad/definition", "{\"format\": \"" + "x".repeat(65_536) + "{n}\"}", CREATE)
                .expectProblem(413, "too-large");
        client.send("PUT", "/api/sequences/bad/definition", "[".repeat(60_000), CREATE)
                .expectProblem(413, "too-large");
        client.send("POST", "/api/sequences/bad/input/advance", "{\"nextAtLeast\": 5}" + " ".repeat(4_096))
                .expectProblem(413, "too-large");
        client.send("POST", "/api/sequences/bad/input/parse", "{\"text\": \"" + "1".repeat(4_096) + "\"}")
                .expectProblem(413, "too-large");
    }

    @ParameterizedTest
    @MethodSource("dev.numera.json.JsonTest#exponentsOutOfRange")
    void aNumberHasAnExponentInRange(String number) {
        refusedFor(
                "body", client.send("POST", "/api/sequences/bad/input/advance", "{\"nextAtLeast\": " + number + "}"));
        refusedFor("body", client.send("PUT", "/api/sequences/bad/definition", "{\"start\": " + number + "}", CREATE));
        refusedFor(
                "body",
                client.send("POST", "/api/sequences/bad/input/batches", "{\"id\": \"a\", \"count\": " + number + "}"));
    }

    @Test
    void aPreconditionIsWellFormed() {
        refusedFor(
                "If-None-Match", client.send("PUT", "/api/sequences/bad/definition", "{}", "If-None-Match", "\"a\""));
        refusedFor("If-Match", client.send("PUT", "/api/sequences/bad/input", "{}", "If-Match", "a"));
        client.send("PUT", "/api/sequences/bad/definition", "{}", "If-Match", "*", "If-None-Match", "*")
                .expectProblem(412, "precondition-failed");
        client.send("DELETE", "/api/sequences/bad/definition", null, "If-Match", "*", "If-None-Match", "*")
                .expectProblem(412, "precondition-failed");
        refusedFor("If-Match", client.send("DELETE", "/api/sequences/bad/input", null, "If-Match", "\"a"));
        refusedFor("If-Match", client.send("DELETE", "/api/sequences/bad/input", null, "If-Match", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"nextAtLeast\": \"5\"}",
                "{\"nextAtLeast\": 1.5}",
                "{\"nextAtLeast\": null}",
                "{\"nextAtLeast\": 4000000000000000001}"
            })
    void anAdvanceNeedsANumber(String body) {
        refusedFor("nextAtLeast", client.send("POST", "/api/sequences/bad/input/advance", body));
    }

    @Test
    void poisonParametersAreCheckedBeforeTheQueueIsRead() {
        refusedFor("date", client.send("POST", "/api/poison/none/requeue", "{\"date\": \"today\"}"));
        refusedFor("date", client.send("POST", "/api/poison/none/requeue", "{\"date\": null}"));
        refusedFor("day", client.send("POST", "/api/poison/none/requeue", "{\"day\": \"2026-11-21\"}"));
        refusedFor("body", client.send("POST", "/api/poison/none/requeue", "[]"));
        refusedFor("date", client.send("POST", "/api/poison/none/requeue?date=2026-11-21", "{}"));
        refusedFor("limit", client.get("/api/poison?limit=5"));
        refusedFor("body", client.send("GET", "/api/poison", "{\"limit\": 5}"));
        refusedFor("body", client.send("DELETE", "/api/poison/none", "{\"date\": \"2026-11-21\"}"));
    }

    @Test
    void fieldsThatACallDoesNotKnowAreNamed() {
        refusedFor(
                "next", client.send("POST", "/api/sequences/bad/input/advance", "{\"nextAtLeast\": 5, \"next\": 6}"));
        refusedFor("txet", client.send("POST", "/api/sequences/bad/input/parse", "{\"txet\": \"5\"}"));
        refusedFor("text", client.send("POST", "/api/sequences/bad/input/parse", "{\"text\": 5}"));
    }

    private static void refusedFor(String field, Reply reply) {
        assertEquals(
                List.of(field),
                fields(reply),
                () -> reply.raw().request().uri() + " " + reply.raw().body());
    }

    private static List<String> fields(Reply reply) {
        reply.expectProblem(400, "invalid-request");
        return Arrays.stream(
                        reply.body().get("errors").findValuesAsText("field").toArray(String[]::new))
                .distinct()
                .toList();
    }
}
