package dev.numera.core.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryWorkerStore;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** One process, on a clock that the test sets. */
class SnowflakesTest {
    private static final SequenceName NAME = new SequenceName("shop", "event");
    private static final StoreFailure NO_ANSWER = new StoreFailure("No answer.", true, null);
    private static final long AHEAD = Lease.TICKS + Lease.CLOCKS_DIFFER + 1;

    private final MemoryWorkerStore rows = new MemoryWorkerStore();
    private final TestClock clock = TestClock.alone(Instant.parse("2026-11-22T12:00:00Z"));
    private final Store store = new Store();
    private final List<Runnable> threads = new ArrayList<>();
    private final Snowflakes snowflakes = new Snowflakes(store, clock, () -> 0, threads::add);
    private final Leaseholder holder = snowflakes.holder();

    private LeaseCost cost = new LeaseCost(clock);

    private long take(int count) {
        return snowflakes.take(NAME, count, Deadline.in(Duration.ofSeconds(10), clock), cost);
    }

    private ProblemType refused() {
        return assertThrows(ProblemException.class, () -> take(256)).type();
    }

    private long tickNow() {
        return IdLayout.tick(clock.now());
    }

    private static long tickOf(long id) {
        return id >> 15;
    }

    private static int workerOf(long id) {
        return (int) (id >> 8) & 127;
    }

    /** Takes an id and renews its lease until the clock has certainly caught up. */
    private void settle() {
        take(1);
        for (long tick = 0; tick <= 10 * AHEAD; tick += 1_000) {
            clock.pass(Duration.ofSeconds(10));
            holder.renew();
        }
    }

    @Test
    void noStorageRequestBeforeTheFirstId() {
        assertEquals(0, store.requests);
        take(1);
        assertEquals(2, store.requests, "the rows, and one write");
        for (int call = 0; call < 100; call++) {
            assertTrue(take(1) >= 0);
        }
        assertEquals(2, store.requests);
        assertEquals(1, threads.size(), "one thread renews");
    }

    @Test
    void whatACallCostIsWhatItWaitedForStorage() {
        store.takes = Duration.ofMillis(30);
        take(1);
        assertEquals(
                List.of(1, Duration.ofMillis(60)), List.of(cost.attempts(), Duration.ofNanos(cost.storageNanos())));
        cost = new LeaseCost(clock);
        take(1);
        assertEquals(List.of(0, 0L), List.of(cost.attempts(), cost.storageNanos()));
    }

    @Test
    void theFirstIdIsAheadOfTheClockAndTheClockCatchesUp() {
        long now = tickNow();
        assertEquals(now + AHEAD, tickOf(take(1)));
        settle();
        assertEquals(tickNow(), tickOf(take(1)));
        WorkerRow row = rows.find(0).orElseThrow();
        assertEquals(tickNow() + Lease.TICKS, row.bound(), "a lease beyond the clock");
    }

    @Test
    void aNumberThatLapsedIsTakenBeyondItsBound() {
        long now = tickNow();
        rows.put(new WorkerRow(0, "another", now + 500, now - 1, null));
        rows.put(new WorkerRow(1, "gone", now + 999_999, now - Lease.TICKS - Lease.CLOCKS_DIFFER - 1, null));
        long id = take(1);
        assertEquals(List.of(1L, now + 1_000_000), List.of((long) workerOf(id), tickOf(id)));
    }

    @Test
    void noFreeNumberIsOverloaded() {
        for (int worker = 0; worker < IdLayout.WORKERS; worker++) {
            rows.put(new WorkerRow(worker, "another", tickNow(), tickNow(), null));
        }
        assertEquals(ProblemType.OVERLOADED, refused());
        clock.pass(Duration.ofSeconds(151));
        take(1);
    }

    /**
     * Callers that arrived at the same time once prolonged the failure: none of them tried storage while others kept
     * arriving.
     */
    @Test
    void aFailureIsToldForATenthOfASecondHoweverManyCallersCome() {
        store.isDown = true;
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused());
        store.isDown = false;
        int requests = store.requests;
        for (int caller = 0; caller < 9; caller++) {
            clock.pass(Duration.ofMillis(10));
            assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused());
        }
        assertEquals(requests, store.requests);
        clock.pass(Duration.ofMillis(10));
        assertTrue(take(1) >= 0);
    }

    @Test
    void withoutStorageThereAreIdsUpToTheBound() {
        settle();
        store.isDown = true;
        for (int second = 0; second <= 30; second++) {
            assertEquals(tickNow(), tickOf(take(1)));
            clock.pass(Duration.ofSeconds(1));
            assertThrows(ProblemException.class, holder::renew);
        }
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused());
        clock.pass(Duration.ofSeconds(5));
        store.isDown = false;
        long id = take(1);
        assertEquals(tickNow() + AHEAD, tickOf(id));
        assertEquals(1, workerOf(id), "one that lapsed is not renewed");
    }

    @Test
    void aRenewalWithoutAnAnswerCountsAsNotMadeUntilItWasRead() {
        settle();
        Lease before = holder.held();
        clock.pass(Duration.ofSeconds(10));
        store.isAnswerLost = true;
        assertThrows(StoreFailure.class, holder::renew);
        assertEquals(before.unsure(), holder.held());
        assertTrue(rows.find(0).orElseThrow().bound() > before.bound(), "it was written");
        store.isAnswerLost = false;
        clock.pass(Duration.ofSeconds(10));
        holder.renew();
        assertEquals(tickNow() + Lease.TICKS, holder.held().bound());
        assertEquals(0, holder.held().worker());
    }

    @Test
    void aRenewalThatIsRefusedEndsTheLeaseAtOnce() {
        settle();
        rows.remove(0);
        store.isListDown = true;
        assertThrows(StoreFailure.class, holder::renew);
        assertNull(holder.held());
        store.isListDown = false;
        clock.pass(Duration.ofSeconds(1));
        assertEquals(tickNow() + AHEAD, tickOf(take(1)));
    }

    @Test
    void aRowThatWasSetBackEndsTheLeaseThoughItNamesTheSameOwner() {
        take(1);
        WorkerRow first = rows.find(0).orElseThrow();
        settle();
        String owner = holder.held().owner();
        store.isAnswerLost = true;
        assertThrows(StoreFailure.class, holder::renew);
        store.isAnswerLost = false;
        rows.put(first);
        holder.renew();
        assertNotEquals(owner, holder.held().owner());
    }

    @Test
    void lostAnswerOfATakeIsResolvedByTheRow() {
        store.isAnswerLost = true;
        assertEquals(0, workerOf(take(1)));
        assertEquals(holder.held().owner(), rows.find(0).orElseThrow().owner());
    }

    @Test
    void aFullTickIsWaitedFor() {
        settle();
        long first = take(256);
        assertEquals(tickOf(first) + 1, tickOf(take(256)));
    }

    @Test
    void aClockThatWentBackIsWaitedForASecond() {
        settle();
        long before = take(256);
        clock.setOff(Duration.ofMillis(-700));
        assertTrue(take(1) > before);
        clock.setOff(Duration.ofSeconds(-5));
        Instant requested = clock.now();
        assertEquals(ProblemType.CLOCK_BEHIND, refused());
        assertEquals(Duration.ofSeconds(1), Duration.between(requested, clock.now()));
    }

    @Test
    void clockBeforeTheFirstTickYieldsNoId() {
        clock.set(Instant.parse("2025-12-31T23:59:59Z"));
        assertEquals(ProblemType.CLOCK_BEHIND, refused());
    }

    /** Each sequence has its own share of a tick, up to the number of generators. */
    @Test
    void sequencesDoNotShareTheirRate() {
        settle();
        long now = tickNow();
        for (int number = 0; number < 3; number++) {
            SequenceName name = new SequenceName("shop", "event-" + number);
            assertEquals(now, tickOf(snowflakes.take(name, 256, Deadline.in(Duration.ofSeconds(10), clock), cost)));
        }
    }

    @Test
    void callersThatWaitTogetherAreAnsweredTogether() {
        store.isDown = true;
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused());
        int requests = store.requests;
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused());
        assertEquals(requests, store.requests);
        clock.pass(Duration.ofMillis(100));
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, refused());
        assertTrue(store.requests > requests);
    }

    private final class Store implements WorkerStore {
        private Duration takes = Duration.ZERO;
        private boolean isDown;
        private boolean isListDown;
        private boolean isAnswerLost;
        private int requests;

        private <T> T take(boolean fails, Supplier<T> request) {
            requests++;
            clock.pass(takes);
            if (isDown || fails) {
                throw NO_ANSWER;
            }
            return request.get();
        }

        @Override
        public List<WorkerRow> all() {
            return take(isListDown, rows::all);
        }

        @Override
        public Optional<WorkerRow> find(int worker) {
            return take(false, () -> rows.find(worker));
        }

        @Override
        public WriteResult write(WorkerRow row) {
            WriteResult result = take(false, () -> rows.write(row));
            return isAnswerLost ? new WriteResult.Unknown(NO_ANSWER) : result;
        }
    }
}
