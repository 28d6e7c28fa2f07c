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

/** The main job, over HTTP, on the packaged app and a real Azurite. */
class NextOverHttpIT {
    private final NumeraClient client = SharedHost.client();

    @Test
    void theIdentityCounterOfTheArticleGivesOneThenTwo() {
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
        AtomicInteger asked = new AtomicInteger();
        AtomicLong highestAnswered = new AtomicLong();
        List<Future<List<Long>>> served = new ArrayList<>();
        for (int caller = 0; caller < 64; caller++) {
            served.add(callers.submit(() -> {
                List<Long> mine = new ArrayList<>();
                while (asked.getAndIncrement() < total) {
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
    void theStateTellsHowFarASequenceIsAndConsumesNothing() {
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
