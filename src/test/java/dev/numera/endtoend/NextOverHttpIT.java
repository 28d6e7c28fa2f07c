package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Allocates numbers over HTTP with the packaged app and a real Azurite. */
class NextOverHttpIT {
    private final NumeraClient client = SharedHost.client();

    /** A number that was allocated through the queue under a key of any script can be requested again over HTTP. */
    @Test
    void keyOfAnyScriptIsAcceptedInTheQuery() {
        String encoded = "?key=Bestellung-%C3%84+%E6%B3%A8";
        Reply first = client.next("App1/scripts", encoded, null).expect(200);
        assertEquals("Bestellung-\u00c4 \u6ce8", first.body().get("key").textValue());
        assertTrue(client.next("App1/scripts", encoded, null)
                .expect(200)
                .body()
                .get("replayed")
                .booleanValue());
        assertEquals(
                2,
                client.next("App1/scripts", "?key=order-1&reserve=true", "\"order-1\"")
                        .expect(200)
                        .first());
        for (String wrong : List.of("?key=order-2", "?key=", "?key=a%0Ab", "?key=%20a", "?key=" + "k".repeat(256))) {
            client.next("App1/scripts", wrong, "order-1").expectProblem(400, "invalid-request");
        }
    }

    /** All such keys would otherwise decode to the same key, and two orders would get one number. */
    @Test
    void aKeyThatIsNoUtf8IsRefused() {
        for (String wrong : List.of("?key=%FF", "?key=a%C3", "?key=%EF%BF%BD%FF", "?key=%ED%A0%80")) {
            client.next("App1/scripts", wrong, null).expectProblem(400, "invalid-request");
        }
        assertEquals(
                "\uFFFD",
                client.next("App1/replacement", "?key=%ef%bf%bd", null)
                        .expect(200)
                        .body()
                        .get("key")
                        .textValue());
    }

    /** Generated clients send parameters without a value. */
    @Test
    void defaultsOfGeneratedClientsAreAccepted() {
        client.next("App1/generated", "", "a").expect(200);
        client.get("/api/sequences/App1/generated/ledger?key=a&limit=100&continuation=")
                .expect(200);
        client.get("/api/sequences/App1/generated/periods?continuation=").expect(200);
        client.send("POST", "/api/sequences/App1/generated/next", "null").expect(200);
        client.send("POST", "/api/sequences/App1/generated/next", "{}").expect(200);
    }

    @Test
    void identityCounterOfTheArticleReturnsOneThenTwo() {
        Reply first = client.next("App1/sorteditem").expect(200);
        assertEquals(
                "{\"scope\":\"App1\",\"name\":\"sorteditem\",\"first\":1,\"last\":1,\"count\":1,\"increment\":1,\"created\":true}",
                first.raw().body());
        assertTrue(first.raw()
                .headers()
                .firstValue("Server-Timing")
                .orElseThrow()
                .matches("storage;dur=\\d+\\.\\d, attempts;desc=\"1\""));
        Reply second = client.next("App1/sorteditem").expect(200);
        assertEquals(2, second.first());
        assertFalse(second.body().has("created"));
    }

    @Test
    void fiftySimultaneousFirstCallsGetOneToFifty() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(50);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Reply>> replies = new ArrayList<>();
        for (int caller = 0; caller < 50; caller++) {
            replies.add(callers.submit(() -> {
                start.await();
                return client.next("App1/fifty");
            }));
        }
        start.countDown();
        List<Long> numbers = new ArrayList<>();
        for (Future<Reply> reply : replies) {
            numbers.add(reply.get().expect(200).first());
        }
        callers.shutdown();
        assertEquals(
                LongStream.rangeClosed(1, 50).boxed().toList(),
                numbers.stream().sorted().toList());
    }

    @Test
    void sixtyFourCallersGetDistinctNumbersInRealTimeOrder() throws Exception {
        int total = 5_000;
        ExecutorService callers = Executors.newFixedThreadPool(64);
        AtomicInteger requested = new AtomicInteger();
        AtomicLong highestAnswered = new AtomicLong();
        List<Future<List<Long>>> served = new ArrayList<>();
        for (int caller = 0; caller < 64; caller++) {
            served.add(callers.submit(() -> {
                List<Long> mine = new ArrayList<>();
                while (requested.getAndIncrement() < total) {
                    long answeredBefore = highestAnswered.get();
                    long number = client.next("App1/order").expect(200).first();
                    assertTrue(
                            number > answeredBefore,
                            () -> number + " was answered to a request that began after " + answeredBefore);
                    highestAnswered.accumulateAndGet(number, Math::max);
                    mine.add(number);
                }
                return mine;
            }));
        }
        List<Long> numbers = new ArrayList<>();
        for (Future<List<Long>> mine : served) {
            numbers.addAll(mine.get());
        }
        callers.shutdown();
        assertEquals(
                LongStream.rangeClosed(1, total).boxed().toList(),
                numbers.stream().sorted().toList());
    }

    @Test
    void aKeyGetsItsNumbersAgain() {
        Reply first = client.next("App1/keyed", "?count=3", "order-1").expect(200);
        Reply again = client.next("App1/keyed", "?count=3", "\"order-1\"").expect(200);
        assertEquals(first.first(), again.first());
        assertTrue(again.body().get("replayed").booleanValue());
        assertEquals(4, client.next("App1/keyed", "", "order-2").expect(200).first());
        client.next("App1/keyed", "?count=2", "order-1").expectProblem(422, "key-reused");
        assertEquals(5, client.next("App1/keyed").expect(200).first());
    }

    @Test
    void stateShowsTheNextNumberAndConsumesNothing() {
        client.next("App1/state", "?count=7", null).expect(200);
        Reply state = client.get("/api/sequences/App1/state/state").expect(200);
        assertEquals(8, state.body().get("next").longValue());
        assertEquals(7, state.body().get("allocated").longValue());
        assertEquals((1L << 53) - 1 - 7, state.body().get("left").longValue());
        assertEquals(
                "no-store", state.raw().headers().firstValue("Cache-Control").orElseThrow());
        assertEquals(8, client.next("App1/state").first());
        client.get("/api/sequences/App1/never-seen/state").expectProblem(404, "unknown-sequence");
    }
}
