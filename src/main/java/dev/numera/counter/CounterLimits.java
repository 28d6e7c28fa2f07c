package dev.numera.counter;

import java.time.Duration;

/**
 * The bounds within which a counter tries.
 *
 * @param maxAttempts how many attempts one call may take part in, at least 1
 * @param deadline how long one call may take in all, waiting included
 * @param backoff how long to wait after a failed attempt
 * @param requestTimeout how long one storage request may take
 * @param lossesBeforeAsking how many attempts a group loses to other instances before it asks them, at least 1
 * @param maxWaitingCalls how many calls for one sequence may wait at once, whatever they wait for
 */
public record CounterLimits(
        int maxAttempts,
        Duration deadline,
        Backoff backoff,
        Duration requestTimeout,
        int lossesBeforeAsking,
        int maxWaitingCalls) {
    /**
     * The first loss says only that the state was old, and the next ones may be bad luck; at light load that is cheaper
     * than to ask somebody who may have nothing more to write.
     */
    public static final int LOSSES_BEFORE_ASKING = 4;

    /** As the other, asking after {@value #LOSSES_BEFORE_ASKING} losses. */
    public CounterLimits(
            int maxAttempts, Duration deadline, Backoff backoff, Duration requestTimeout, int maxWaitingCalls) {
        this(maxAttempts, deadline, backoff, requestTimeout, LOSSES_BEFORE_ASKING, maxWaitingCalls);
    }
}
