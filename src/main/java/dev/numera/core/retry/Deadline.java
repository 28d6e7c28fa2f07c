package dev.numera.core.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Until when a caller waits, by a clock: what is left of it is passed down to all that it waits for. Immutable and
 * thread-safe.
 *
 * <p>Storage requests get it by the thread that sends them: {@link #limit} says for which work it holds, and a store
 * asks {@link #ofThisThread}. So a call of many requests ends in time wherever it is when its time is over.
 *
 * @param beganNanos when the caller began to wait
 * @param nanos when the caller waits no longer
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

    /** The result of work on this thread whose storage requests are to end by this deadline, whatever held before. */
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

    /** Never negative. */
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
