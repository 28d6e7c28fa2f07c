package dev.numera.core.snowflake;

import dev.numera.core.retry.Clock;
import java.util.function.Supplier;

/** The storage cost of one call for ids, which is zero where the lease was there. Not thread-safe. */
public final class LeaseCost {
    private final Clock time;
    private int attempts;
    private long storageNanos;

    public LeaseCost(Clock time) {
        this.time = time;
    }

    /** How often this call tried to write a lease or its definition. Attempts of other calls do not count here. */
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

    /** Does work that waits for storage, and counts its time. */
    public <T> T waiting(Supplier<T> work) {
        long beganNanos = time.nanoTime();
        try {
            return work.get();
        } finally {
            storageNanos += time.nanoTime() - beganNanos;
        }
    }
}
