package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The ledger from its newest entry, as JSON and as CSV. */
class NewestFirstOverHttpIT {
    private static final NumeraClient CLIENT = SharedHost.client();
    private static final String YEARS = "/api/sequences/newest/years/ledger?order=desc";
    private static final List<String> NEWEST_FIRST =
            List.of("this-5", "this-4", "this-3", "this-2", "this-1", "last-5", "last-4", "last-3", "last-2", "last-1");

    @BeforeAll
    static void allocate() {
        CLIENT.send(
                        "PUT",
                        "/api/sequences/newest/years",
                        "{\"resetEvery\": \"year\", \"timeZone\": \"UTC\"}",
                        "If-None-Match",
                        "*")
                .expect(201);
        IntStream.rangeClosed(1, 5).forEach(i -> CLIENT.next("newest/years", "?date=2025-06-01", "last-" + i)
                .expect(200));
        IntStream.rangeClosed(1, 5).forEach(i -> CLIENT.next("newest/years", "?date=2026-06-01", "this-" + i)
                .expect(200));
    }

    @Test
    void pagesGoOnWhereTheyWereAlthoughNumbersAreAllocated() {
        CLIENT.send("PUT", "/api/sequences/newest/moving", "{\"timeZone\": \"UTC\"}", "If-None-Match", "*")
                .expect(201);
        List<String> keys = new ArrayList<>();
        IntStream.rangeClosed(1, 9)
                .forEach(i -> CLIENT.next("newest/moving", "", "key-" + i).expect(200));
        String next = "";
        while (next != null) {
            JsonNode page = CLIENT.get("/api/sequences/newest/moving/ledger?order=desc&limit=4" + next)
                    .expect(200)
                    .body();
            keys.addAll(page.findValuesAsText("key"));
            next = page.has("continuation")
                    ? "&continuation=" + page.get("continuation").textValue()
                    : null;
            CLIENT.next("newest/moving", "", "new-" + keys.size()).expect(200);
        }
        assertEquals(IntStream.range(0, 9).mapToObj(i -> "key-" + (9 - i)).toList(), keys);
    }

    @Test
    void theLastPeriodIsFirstUnlessADateChoosesOne() {
        assertEquals(NEWEST_FIRST, keys(YEARS));
        assertEquals(NEWEST_FIRST.subList(0, 5), keys(YEARS + "&date=2026-01-01"));
        assertEquals(NEWEST_FIRST.subList(5, 10), keys(YEARS + "&dateTo=2026-05-31"));
        assertEquals(List.of("this-3", "this-2", "last-3", "last-2"), keys(YEARS + "&from=2&to=3"));
    }

    private static List<String> keys(String path) {
        return CLIENT.get(path).expect(200).body().findValuesAsText("key");
    }

    @Test
    void csvHasTheSamePages() {
        List<String> keys = new ArrayList<>();
        String query = "&limit=3";
        while (query != null) {
            Reply page = CLIENT.send("GET", YEARS + query, null, "Accept", "text/csv")
                    .expect(200);
            page.raw().body().lines().skip(1).forEach(line -> keys.add(line.split(",", -1)[4]));
            query = page.raw()
                    .headers()
                    .firstValue("Link")
                    .map(link -> link.replaceAll("^<\\?.*(continuation=[^&>]*).*$", "&limit=3&$1"))
                    .orElse(null);
        }
        assertEquals(NEWEST_FIRST, keys);
    }

    @Test
    void anotherOrderAndAPageOfTheOtherOrderAreRefused() {
        CLIENT.get("/api/sequences/newest/years/ledger?order=newest").expectProblem(400, "invalid-request");
        CLIENT.get("/api/sequences/newest/years/ledger?order=desc&key=last-1").expectProblem(400, "invalid-request");
        String next = CLIENT.get(YEARS + "&limit=1")
                .expect(200)
                .body()
                .get("continuation")
                .textValue();
        CLIENT.get("/api/sequences/newest/years/ledger?limit=1&continuation=" + next)
                .expectProblem(400, "invalid-request");
    }
}
