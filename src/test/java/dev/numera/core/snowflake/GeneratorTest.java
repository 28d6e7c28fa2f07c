package dev.numera.core.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GeneratorTest {
    private static final int WORKER = 5;
    private static final long NOW = 1_000_000;

    private final Generator generator = new Generator();

    /** Returns a lease that was taken so long ago that the clock has caught up with its ids. */
    private static Lease settled(long bound) {
        return new Lease(WORKER, "me", NOW - 900, NOW - 1_000, NOW, bound, "v");
    }

    private static long id(long tick, int place) {
        return IdLayout.id(tick, WORKER, place);
    }

    @Test
    void anIdHasTickWorkerAndPlaceAndIsBelowTwoToThe53() {
        assertEquals((1L << 53) - 1, IdLayout.id(IdLayout.LAST_TICK, 127, 255));
        assertEquals((3L << 15) + (2 << 8) + 1, IdLayout.id(3, 2, 1));
        assertEquals(100, IdLayout.tick(Instant.parse("2026-01-01T00:00:01.009Z")));
        assertEquals(-1, IdLayout.tick(Instant.parse("2025-12-31T23:59:59.999Z")));
    }

    @Test
    void idsRiseWithinATickAndWithTheClock() {
        Lease lease = settled(NOW + 100);
        assertEquals(id(NOW, 0), generator.next(lease, 1, NOW));
        assertEquals(id(NOW, 1), generator.next(lease, 3, NOW));
        assertEquals(id(NOW, 4), generator.next(lease, 1, NOW));
        assertEquals(id(NOW + 1, 0), generator.next(lease, 1, NOW + 1));
        assertEquals(NOW + 1, generator.lastTick());
    }

    @Test
    void idsOfOneCallAreInOneTick() {
        Lease lease = settled(NOW + 100);
        generator.next(lease, 1, NOW);
        assertEquals(Generator.TOO_EARLY, generator.next(lease, 256, NOW));
        assertEquals(id(NOW + 1, 0), generator.next(lease, 256, NOW + 1));
        assertEquals(Generator.TOO_EARLY, generator.next(lease, 1, NOW + 1));
    }

    @Test
    void noIdIsBeyondTheBoundWhateverTheClockSays() {
        assertEquals(id(NOW, 0), generator.next(settled(NOW), 1, NOW));
        assertEquals(Generator.BEYOND_BOUND, generator.next(settled(NOW), 1, NOW + 1));
        assertEquals(Generator.BEYOND_BOUND, generator.next(settled(NOW), 1, NOW + 1_000_000));
        assertEquals(id(NOW, 1), generator.next(settled(NOW), 1, NOW), "a thread that looked at the clock before");
    }

    @Test
    void aClockThatWentBackIsWaitedFor() {
        Lease lease = settled(NOW + 100);
        generator.next(lease, 1, NOW);
        assertEquals(Generator.TOO_EARLY, generator.next(lease, 1, NOW - 1));
        assertEquals(id(NOW, 1), generator.next(lease, 1, NOW));
    }

    /**
     * The ids start ahead of the clock and advance more slowly, so that the clock catches up however many are
     * requested.
     */
    @Test
    void anOwnerBeginsAheadOfItsClock() {
        Lease lease = new Lease(WORKER, "me", NOW + 100, NOW, NOW, NOW + 3_000, "v");
        assertEquals(id(NOW + 100, 0), generator.next(lease, 256, NOW));
        assertEquals(Generator.TOO_EARLY, generator.next(lease, 1, NOW + 1));
        assertEquals(id(NOW + 101, 0), generator.next(lease, 1, NOW + 2));
        assertEquals(id(NOW + 1_000, 0), generator.next(lease, 256, NOW + 1_000));
        assertEquals(Generator.TOO_EARLY, generator.next(lease, 1, NOW + 1_000));
        assertEquals(NOW + 100, lease.reach(NOW - 500), "also where the clock goes back");
    }

    @Test
    void anotherLeaseContinuesBeyondTheLastId() {
        generator.next(settled(NOW + 100), 1, NOW + 7);
        Lease next = new Lease(9, "me again", NOW, NOW - 100, NOW, NOW + 100, "v");
        assertEquals(IdLayout.id(NOW + 7, 9, 1), generator.next(next, 1, NOW + 3));
    }

    @Test
    void thereIsALastTick() {
        long last = IdLayout.LAST_TICK;
        Lease lease = new Lease(WORKER, "me", last, last - 1, last, last + 10, "v");
        assertEquals(id(last, 0), generator.next(lease, 1, last));
        assertEquals(Generator.USED_UP, generator.next(lease, 1, last + 1));
    }

    @Test
    void threadsNeverGetTheSame() throws Exception {
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        Lease lease = settled(NOW + 100_000);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Boolean>> callers = IntStream.range(0, 4)
                    .<Callable<Boolean>>mapToObj(any -> () -> IntStream.range(0, 20_000)
                            .mapToLong(call -> generator.next(lease, 1, NOW + call / 20))
                            .filter(id -> id >= 0)
                            .allMatch(ids::add))
                    .toList();
            for (Future<Boolean> caller : threads.invokeAll(callers)) {
                assertTrue(caller.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertTrue(ids.size() > 20_000, "allocated: " + ids.size());
    }
}
