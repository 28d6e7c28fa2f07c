package dev.numera.core.snowflake;

import java.time.Duration;
import java.time.Instant;

/**
 * How an id is put together, from the top: 38 bits of time in ticks of 10 ms since 2026-01-01 UTC, 7 bits of the worker
 * number, 8 bits of the place within the tick. So it is below 2^53, exact in every client, until the year 2113. The
 * layout is that of Twitter's Snowflake (2010), with other widths.
 */
final class IdLayout {
    static final int WORKERS = 1 << 7;
    /** How many ids one worker has in a tick. */
    static final int PLACES = 1 << 8;

    static final long MILLIS_A_TICK = 10;
    static final long LAST_TICK = (1L << 38) - 1;

    private static final long EPOCH_MILLIS =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private IdLayout() {}

    /** The tick of a moment; negative before the first one. */
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
