package dev.numera.core.snowflake;

import dev.numera.core.retry.Clock;
import java.util.function.Supplier;

/** The storage cost of one call for ids. It is zero if the process already has a lease. Not thread-safe. */
public final class LeaseCost {
    private final Clock time;
    private int attempts;
    private long storageNanos;

    public LeaseCost(Clock time) {
        this.time = time;
    }

    /**
     * The number of attempts by this call to write a lease or its definition. Attempts of other calls do not count
     * here.
     */
    public int attempts() {
        return attempts;
    }

    /**
     * The time that the call waited for storage, in nanoseconds, whether this call or another one sent the requests.
     */
    public long storageNanos() {
        return storageNanos;
    }

    /** Counts one attempt. */
    public void attempt() {
        attempts++;
    }

    /** Runs work that waits for storage, and adds its duration to the cost. */
    public <T> T waiting(Supplier<T> work) {
        long beganNanos = time.nanoTime();
        try {
            return work.get();
        } finally {
            storageNanos += time.nanoTime() - beganNanos;
        }
    }
}
