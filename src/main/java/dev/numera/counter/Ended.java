package dev.numera.counter;

import dev.numera.execution.WriteResult;

/** How an attempt to write for a group of calls ended. */
public enum Ended {
    WON,
    /** Others were faster. */
    LOST,
    /** A row of the ledger was in the way, which the next attempt looks for. */
    CLASHED,
    /** Sent, but not answered in a way that can be trusted. */
    UNKNOWN,
    /** Storage could not be used. */
    FAILED,
    /**
     * Whoever tried has nothing left to count, and goes on at once: nothing was left to be written, a caller gave up
     * just before, or it was a step of asking other instances, however that ended.
     */
    UNSENT;

    static Ended of(WriteResult result) {
        if (result instanceof WriteResult.Lost lost) {
            return lost.reason() == WriteResult.Reason.EXISTS ? CLASHED : LOST;
        }
        return result instanceof WriteResult.Won ? WON : UNKNOWN;
    }

    /** Whether to wait before another attempt. */
    boolean isFailure() {
        return this == LOST || this == UNKNOWN || this == FAILED;
    }
}
