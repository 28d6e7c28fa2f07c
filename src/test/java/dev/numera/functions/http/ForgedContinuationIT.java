package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Continuations that a client forges with a correct checksum, which the public source allows. Their content is checked
 * like any other input; the ledger and uploads once answered 500.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForgedContinuationIT {
    private static final String UPLOADS = "/api/sequences/forged/order/batches";
    private static final List<String> NO_POSITIONS = List.of(
            "",
            " ",
            "x",
            "-",
            ".",
            ";",
            "0",
            "-1",
            "1.",
            ".1",
            "1.5.3",
            "99.0",
            "0.99",
            "-1.0",
            "0.-1",
            "0.3",
            "1.0",
            "2147483648.0",
            "0.2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "4000000000000000001",
            "\u0661",
            "+5",
            "05",
            "1e3",
            "\u0000",
            "'",
            "x' or '1' eq '1",
            "%",
            "\ud83d\ude00",
            "1".repeat(3_000));

    private final NumeraClient client = SharedHost.client();
    private String upload;

    @BeforeAll
    void makeSomethingToRead() {
        Reply accepted = client.send("POST", UPLOADS, "{\"keys\": [\"a\", \"b\", \"c\"]}")
                .expect(202);
        upload = accepted.location();
        client.awaitUpload(upload, Duration.ofMinutes(1), SharedHost.process()::output);
    }

    @Test
    void ledgerPositionIsARequestedPeriodAndNumber() {
        String path = "/api/sequences/forged/order/ledger?from=1&to=3";
        Map.of(
                        path,
                        ledgerQuery("forged/order", null, 1, 3, null, null, null),
                        path + "&status=void",
                        ledgerQuery("forged/order", null, 1, 3, null, null, "void"),
                        path + "&dateTo=2026-11-21",
                        ledgerQuery("forged/order", null, 1, 3, null, "2026-11-21", null))
                .forEach(this::refusesAllButAPeriodAndANumber);
    }

    /** A caller that requests the next page after New Year continues in the old year. */
    @Test
    void aPageOfTheLedgerIsOfThePeriodOfTheOneBefore() {
        client.send(
                        "PUT",
                        "/api/sequences/forged/yearly",
                        "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\"}",
                        "If-None-Match",
                        "*")
                .expect(201);
        client.next("forged/yearly", "?date=2025-12-31", "old").expect(200);
        client.next("forged/yearly", "", "new").expect(200);
        String query = ledgerQuery("forged/yearly", null, null, null, null, null, null);
        assertEquals(
                List.of("old"),
                page("/api/sequences/forged/yearly/ledger", "2025;1", query)
                        .expect(200)
                        .body()
                        .findValuesAsText("key"));
    }

    /**
     * Returns what a token of the ledger names.
     *
     * @param values of date, from, to, dateFrom, dateTo and status. No key prefix, actor or reason is requested
     */
    private static String ledgerQuery(String sequence, Object... values) {
        return Stream.concat(Stream.of(values), Stream.of("null", "null", "null"))
                .map(String::valueOf)
                .collect(Collectors.joining("\n", "ledger " + sequence + "\n", ""));
    }

    @Test
    void aPositionAmongPeriodsIsAPeriod() {
        String path = "/api/sequences/forged/order/periods";
        String query = "periods forged/order";
        for (String position : NO_POSITIONS) {
            if (!position.isEmpty()) {
                refused(path, position, query);
            }
        }
        refused(path, "2026-13", query);
        Stream.of("", "2026", "2026-11", "2026-11-21").forEach(period -> read(path, period, query));
    }

    @Test
    void aPositionAmongChangesIsATimeAndAnId() {
        String path = "/api/sequences/forged/order/changes";
        String query = "changes forged/order";
        for (String position : NO_POSITIONS) {
            refused(path, position, query);
            refused(path, position + ";a", query);
        }
        for (String id : List.of("", "'", "x' or '1' eq '1", "%", "a:b", "1".repeat(3_000))) {
            refused(path, "2026-11-21T09:30:00Z;" + id, query);
        }
        read(path, "2026-11-21T09:30:00Z;a-1", query);
        for (String time : List.of("-1000000000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z", "1969-12-31T23:59:59Z")) {
            refused(path, time + ";a", query);
        }
    }

    @Test
    void checkPositionIsARequestedPeriodAndNumber() {
        refusesAllButAPeriodAndANumber(
                "/api/sequences/forged/order/check?from=1&to=3", "check forged/order null 1 3 null");
    }

    @Test
    void positionOfDatesIsOneOfNumbers() {
        String path = "/api/sequences/forged/order/check?dateFrom=2026-11-01&dateTo=2026-11-30";
        String query = "check forged/order 2026-11-01 2026-11-30 null";
        String start = ";-4000000000000000000;false;1;3;1;3";
        for (String position : NO_POSITIONS) {
            refused(path, position, query);
            for (int part = 0; part < 7; part++) {
                String[] parts = start.split(";", -1);
                if (part > 0 || !position.isEmpty()) {
                    parts[part] = position;
                    if (!isNumber(position) || part == 0 || part == 2) {
                        refused(path, String.join(";", parts), query);
                    }
                }
            }
        }
        refused(path, start + ";1", query);
        for (String position : List.of(
                start,
                ";3;true;1;3;1;3",
                ";-5;true;4;-4;-4000000000000000000;4000000000000000000",
                "2026;4000000000000000000;true;4000000000000000000;-4000000000000000000;4000000000000000000;-5")) {
            read(path, position, query);
        }
    }

    private static boolean isNumber(String position) {
        return position.equals("0") || position.equals("-1");
    }

    private void refusesAllButAPeriodAndANumber(String path, String query) {
        for (String position : NO_POSITIONS) {
            refused(path, position, query);
            refused(path, ";" + position, query);
        }
        refused(path, "2026-13;2", query);
        refused(path, "2026;2;2", query);
        Stream.of(";2", "2026;3").forEach(position -> read(path, position, query));
    }

    @Test
    void aPositionOfAnUploadIsARowOfIt() {
        String query = "upload forged/order/batches/" + upload.substring(upload.lastIndexOf('/') + 1);
        for (String position : NO_POSITIONS) {
            refused(upload, position, query);
        }
        read(upload, "0;2", query);
    }

    /**
     * The app once answered each of these positions with the first page: a position was a token of storage, which the
     * app could not check.
     */
    @Test
    void positionAmongSequencesIsAScopeAndAName() {
        List<String> positions = new ArrayList<>(NO_POSITIONS);
        positions.addAll(List.of("a;b", "/b", "a/", "a/b/c", "a/b#", "\u0000/b", "a".repeat(3_000) + "/b"));
        positions.forEach(position -> refused("/api/sequences", position, "sequences null"));
        refused("/api/sequences?scope=forged", "other/order", "sequences forged");
        refused("/api/sequences?filter=order", "a/b/c", "sequences null order");
        read("/api/sequences", "forged/x' or '1' eq '1", "sequences null");
    }

    /**
     * Pages end within a scope and at the end of one. In both cases the next page repeats no sequence and omits none.
     */
    @Test
    void pagesOfSequencesFollowOneAnother() {
        for (String name : List.of("paged-a/one", "paged-a/two", "paged-b/one", "paged-b/three", "paged-c/one")) {
            client.next(name).expect(200);
        }
        for (int limit = 1; limit <= 5; limit++) {
            List<String> listed = new ArrayList<>();
            String next = PageToken.encode("paged-/0", "sequences null");
            while (next != null && listed.size() < 5) {
                Reply page = client.get("/api/sequences?limit=" + limit + "&continuation=" + next)
                        .expect(200);
                page.body()
                        .get("sequences")
                        .forEach(entry -> listed.add(entry.get("scope").textValue() + "/"
                                + entry.get("name").textValue()));
                next = page.body().path("continuation").textValue();
            }
            assertEquals(
                    List.of("paged-a/one", "paged-a/two", "paged-b/one", "paged-b/three", "paged-c/one"),
                    listed.subList(0, 5));
        }
    }

    private void refused(String path, String position, String pagesOf) {
        Reply reply = page(path, position, pagesOf);
        assertEquals(
                "invalid-request",
                reply.problem(),
                () -> "'" + position + "': " + reply.status() + " "
                        + reply.raw().body());
        assertEquals("continuation", reply.body().at("/errors/0/field").textValue());
    }

    private void read(String path, String position, String pagesOf) {
        page(path, position, pagesOf).expect(200);
    }

    private Reply page(String path, String position, String pagesOf) {
        return client.get(
                path + (path.contains("?") ? "&" : "?") + "continuation=" + PageToken.encode(position, pagesOf));
    }
}
