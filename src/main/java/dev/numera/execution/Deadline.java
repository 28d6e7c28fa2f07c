package dev.numera.execution;

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

    /** That of the work that this thread does; empty where nobody waits for it. */
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

    /** A later one of the same caller, for what is worth more than an answer in time. */
    public Deadline later(Duration duration) {
        return new Deadline(time, beganNanos, nanos + duration.toNanos());
    }

    /** Never negative. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - time.nanoTime()));
    }

    /**
     * How long one more request may take.
     *
     * @param timeout what it may take at most
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
