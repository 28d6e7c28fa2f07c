package dev.numera.counter;

import java.time.Duration;

/**
 * The bounds within which a counter tries.
 *
 * @param maxAttempts how many attempts one call may take part in, at least 1
 * @param deadline how long one call may take in all, waiting included
 * @param backoff how long to wait after a failed attempt
 * @param requestTimeout how long one storage request may take
 * @param maxWaitingCalls how many calls for one sequence may wait at once, whatever they wait for
 */
public record CounterLimits(
        int maxAttempts, Duration deadline, Backoff backoff, Duration requestTimeout, int maxWaitingCalls) {}
