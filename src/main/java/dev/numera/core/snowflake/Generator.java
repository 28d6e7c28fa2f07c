package dev.numera.core.snowflake;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids in rising order of time and place, whatever lease they are allocated by: within a process no two of one generator
 * have both in common. Thread-safe, without locks.
 */
final class Generator {
    /** Answers instead of an id. */
    static final long TOO_EARLY = -1;

    static final long BEYOND_BOUND = -2;
    static final long USED_UP = -3;

    /** Tick and place of the last id, in one number. */
    private final AtomicLong last = new AtomicLong(-1);

    /**
     * The first of so many consecutive ids, all in one tick; or why there are none now: {@link #TOO_EARLY} where the
     * clock must go on first, {@link #BEYOND_BOUND} where the lease must be renewed first, {@link #USED_UP} where there
     * is no later tick. Does not block.
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
            // Of data, not of time: however long this thread paused since it read the clock, the bound holds.
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
