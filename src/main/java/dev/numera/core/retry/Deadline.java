package dev.numera.core.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time until which a caller waits. Every step of a call works against the same deadline. Immutable and thread-safe.
 *
 * <p>The deadline reaches storage requests through the thread that sends them: {@link #limit} sets it for a piece of
 * work, and a store reads it with {@link #ofThisThread}. Example: a call with a deadline of 10 s has spent 9 s on three
 * requests. The fourth request gets 1 s instead of its usual timeout, and no fifth request is sent.
 *
 * @param beganNanos the time at which the caller began to wait
 * @param nanos the time at which the caller stops waiting
 */
public record Deadline(Clock time, long beganNanos, long nanos) {
    private static final ThreadLocal<@Nullable Deadline> OF_THREAD = new ThreadLocal<>();

    public static Deadline in(Duration duration, Clock time) {
        long now = time.nanoTime();
        return new Deadline(time, now, now + duration.toNanos());
    }

    /** The deadline of the work that this thread is doing; empty if no caller waits for that work. */
    public static Optional<Deadline> ofThisThread() {
        return Optional.ofNullable(OF_THREAD.get());
    }

    /**
     * Runs work on this thread. Its storage requests end by this deadline, which replaces an earlier deadline of the
     * thread until the work ends.
     */
    public <T> T limit(Supplier<T> work) {
        Deadline before = OF_THREAD.get();
        OF_THREAD.set(this);
        try {
            return work.get();
        } finally {
            if (before == null) {
                OF_THREAD.remove();
            } else {
                OF_THREAD.set(before);
            }
        }
    }

    /**
     * Returns an extended deadline for the same caller, for work that is worth a late answer. Example: finding out
     * whether the last write was won.
     */
    public Deadline later(Duration duration) {
        return new Deadline(time, beganNanos, nanos + duration.toNanos());
    }

    /** Returns the time left; never negative. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - time.nanoTime()));
    }

    /**
     * Returns the time that one more request may take: its timeout, or the time left if that is shorter.
     *
     * @param timeout the most that the request may take
     * @throws StoreFailure the deadline is over, so no request is to be sent
     */
    public Duration leftFor(Duration timeout) {
        Duration left = left();
        if (left.isZero()) {
            throw new StoreFailure("The time of the call was over before the request was sent.", true, null);
        }
        return left.compareTo(timeout) < 0 ? left : timeout;
    }

    public boolean isOver() {
        return nanos - time.nanoTime() <= 0;
    }
}
