package dev.numera.core.retry;

import java.time.Duration;

/**
 * The bounds within which an instance works.
 *
 * @param maxAttempts how many attempts one call may take part in, at least 1
 * @param deadline how long one call may take in all, waiting included
 * @param backoff how long to wait after a failed attempt
 * @param requestTimeout how long one storage request may take
 * @param lossesBeforePeerRequest how many attempts a group loses to other instances before it sends them a request, at
 *     least 1
 * @param maxWaitingCalls how many calls for one sequence may wait at once, whatever they wait for
 * @param maxIdleCounters how many sequences' states are kept in memory
 * @param maxDaysAhead how many days from today a date may be ahead that numbers are requested for
 * @param maxDaysBack how many days back from today a date may lie that opens a period
 */
public record Limits(
        int maxAttempts,
        Duration deadline,
        Backoff backoff,
        Duration requestTimeout,
        int lossesBeforePeerRequest,
        int maxWaitingCalls,
        int maxIdleCounters,
        int maxDaysAhead,
        int maxDaysBack) {
    /**
     * The first loss says only that the state was old, and the next ones may be bad luck; at light load that is cheaper
     * than to request numbers from an instance that may have nothing more to write.
     */
    public static final int LOSSES_BEFORE_PEER_REQUEST = 4;

    /** The states of so many, and what was observed of five times as many, fit into a heap of 256 MB. */
    public static final int MAX_IDLE_COUNTERS = 10_000;

    /**
     * Under contention a call takes part in fewer than two on average: one that takes part in 50 meets a lasting
     * failure.
     */
    private static final int MAX_ATTEMPTS = 50;

    /** A quarter of the longest wait: from the second attempt on, the wait is drawn alike for all callers. */
    private static final int BACKOFF_MILLIS = 16;

    /** About six writes at Azure's distance: room for rivals to spread, and little for a caller that waits. */
    private static final int MAX_BACKOFF_MILLIS = 64;

    /**
     * With the attempts, the backoff, the losses and the states in memory of the app. Full jitter, since instances that
     * met the same failure would otherwise retry at the same moment.
     */
    public Limits(Duration deadline, Duration requestTimeout, int maxWaitingCalls, int maxDaysAhead, int maxDaysBack) {
        this(
                MAX_ATTEMPTS,
                deadline,
                new Backoff.FullJitter(Duration.ofMillis(BACKOFF_MILLIS), Duration.ofMillis(MAX_BACKOFF_MILLIS)),
                requestTimeout,
                LOSSES_BEFORE_PEER_REQUEST,
                maxWaitingCalls,
                MAX_IDLE_COUNTERS,
                maxDaysAhead,
                maxDaysBack);
    }
}
