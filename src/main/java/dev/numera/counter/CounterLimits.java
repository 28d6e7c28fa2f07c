package dev.numera.counter;

import java.time.Duration;

/**
 * The bounds within which a counter tries.
 *
 * @param maxAttempts how many attempts one call may take part in, at least 1
 * @param deadline how long one call may take in all, waiting included
 * @param backoff how long to wait after a failed attempt
 * @param burst how long an instance may write without reading once it has seen a rival; then it lets the others have
 *     their turn
 * @param maxWaitingCalls how many calls for one sequence may wait at once, whatever they wait for
 */
public record CounterLimits(int maxAttempts, Duration deadline, Backoff backoff, Duration burst, int maxWaitingCalls) {}
