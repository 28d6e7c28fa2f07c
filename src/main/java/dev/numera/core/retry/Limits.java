package dev.numera.core.retry;

import java.time.Duration;

/**
 * The limits of an instance for its calls.
 *
 * @param maxAttempts the most attempts of one call, at least 1
 * @param deadline the longest time that one call may take, including waits
 * @param backoff the delay after a failed attempt
 * @param requestTimeout the longest time that one storage request may take
 * @param lossesBeforePeerRequest the attempts that a group loses to other instances before it posts a request to them,
 *     at least 1
 * @param maxWaitingCalls the most calls that may wait for one sequence at once, for any reason
 * @param maxIdleCounters the most sequences whose state is kept in memory
 * @param maxDaysAhead the most days that a requested date may be after today
 * @param maxDaysBack the most days that a date may be before today if it opens a period
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
     * The default of {@link #lossesBeforePeerRequest}. The first loss only means that the state was old, and the next
     * ones may be bad luck. At light load, retrying is cheaper than a request to an instance that may have nothing more
     * to write.
     */
    public static final int LOSSES_BEFORE_PEER_REQUEST = 4;

    /**
     * The default of {@link #maxIdleCounters}. These states, and the observations of five times as many counters, fit
     * into a heap of 256 MB.
     */
    public static final int MAX_IDLE_COUNTERS = 10_000;

    /**
     * The default of {@link #maxAttempts}. A call under contention needs fewer than two attempts on average, so a call
     * with 50 attempts meets a lasting failure.
     */
    private static final int MAX_ATTEMPTS = 50;

    /**
     * The base of the backoff: a quarter of the longest delay, so that after two failures every caller's delay is drawn
     * from the full range.
     */
    private static final int BACKOFF_MILLIS = 16;

    /**
     * The longest delay: about six writes at Azure's distance. Rivals spread enough, and a waiting caller loses little
     * time.
     */
    private static final int MAX_BACKOFF_MILLIS = 64;

    /**
     * Creates limits with the app's defaults for the values that are not parameters. The backoff is full jitter;
     * otherwise instances that met the same failure would retry at the same moment.
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
