package dev.numera.core.snowflake;

import java.time.Duration;
import java.time.Instant;

/**
 * The layout of an id, from the highest bit: 38 bits of time in ticks of 10 ms since 2026-01-01 UTC, 7 bits of the
 * worker number, 8 bits of the place within the tick. So until the year 2113 an id is below 2^53, which every client
 * represents exactly. Twitter's Snowflake (2010) has the same layout with other widths.
 */
final class IdLayout {
    static final int WORKERS = 1 << 7;
    /** The number of ids that one worker has in each tick. */
    static final int PLACES = 1 << 8;

    static final long MILLIS_A_TICK = 10;
    static final long LAST_TICK = (1L << 38) - 1;

    private static final long EPOCH_MILLIS =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private IdLayout() {}

    /** Returns the tick of a moment; negative before the start of 2026. */
    static long tick(Instant moment) {
        return Math.floorDiv(moment.toEpochMilli() - EPOCH_MILLIS, MILLIS_A_TICK);
    }

    static long ticks(Duration duration) {
        return duration.toMillis() / MILLIS_A_TICK;
    }

    /**
     * @param tick from 0 to {@link #LAST_TICK}
     * @param worker from 0, below {@link #WORKERS}
     * @param place from 0, below {@link #PLACES}
     */
    static long id(long tick, int worker, int place) {
        return (tick * WORKERS + worker) * PLACES + place;
    }
}
