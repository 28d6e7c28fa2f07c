package dev.numera.core.snowflake;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates ids in rising order of tick and place within the tick, under any lease. Within a process, no two ids of one
 * generator have the same tick and place. Thread-safe, without locks.
 */
final class Generator {
    /** A negative result of {@link #next}: the clock must advance first. */
    static final long TOO_EARLY = -1;

    static final long BEYOND_BOUND = -2;
    static final long USED_UP = -3;

    /** The tick and the place of the last id, as one number. */
    private final AtomicLong last = new AtomicLong(-1);

    /**
     * Returns the first of {@code count} consecutive ids, all in one tick, or a negative result: {@link #TOO_EARLY} if
     * the clock must advance first, {@link #BEYOND_BOUND} if the lease must be renewed first, {@link #USED_UP} if no
     * later tick exists. Does not block.
     *
     * @param count from 1 to {@link IdLayout#PLACES}
     * @param now the tick of this process's clock
     */
    long next(Lease lease, int count, long now) {
        while (true) {
            long previous = last.get();
            long first = first(previous, lease, count, now);
            long tick = first / IdLayout.PLACES;
            if (tick > IdLayout.LAST_TICK) {
                return USED_UP;
            }
            if (tick > lease.reach(now)) {
                return TOO_EARLY;
            }
            // The bound limits the ids themselves, not the time of this check. So it also holds if this thread paused
            // after it read the clock.
            if (tick > lease.bound()) {
                return BEYOND_BOUND;
            }
            if (last.compareAndSet(previous, first + count - 1)) {
                return IdLayout.id(tick, lease.worker(), (int) (first % IdLayout.PLACES));
            }
        }
    }

    private static long first(long previous, Lease lease, int count, long now) {
        long first = Math.max(previous + 1, Math.max(lease.start(), now) * IdLayout.PLACES);
        long left = IdLayout.PLACES - first % IdLayout.PLACES;
        return count <= left ? first : first + left;
    }

    /** The tick of the last id; -1 before the first. */
    long lastTick() {
        return Math.floorDiv(last.get(), IdLayout.PLACES);
    }
}
