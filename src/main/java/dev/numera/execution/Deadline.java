package dev.numera.execution;

import java.time.Duration;

/**
 * Until when a caller waits, by a clock: what is left of it is passed down to all that it waits for. Immutable and
 * thread-safe.
 */
public record Deadline(Clock time, long nanos) {
    public static Deadline in(Duration duration, Clock time) {
        return new Deadline(time, time.nanoTime() + duration.toNanos());
    }

    /** Never negative. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - time.nanoTime()));
    }

    public boolean isOver() {
        return nanos - time.nanoTime() <= 0;
    }
}
