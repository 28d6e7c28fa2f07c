package dev.numera.sequence;

import dev.numera.counter.CounterLimits;

/**
 * The bounds within which sequences work.
 *
 * @param maxIdleCounters how many sequences' states are kept in memory
 * @param maxDaysAhead how many days from today a date may be ahead that numbers are requested for
 * @param maxDaysBack how many days back from today a date may lie that opens a period
 */
public record SequenceLimits(CounterLimits counters, int maxIdleCounters, int maxDaysAhead, int maxDaysBack) {
    /** The states of so many, and what was observed of five times as many, fit into a heap of 256 MB. */
    public static final int MAX_IDLE_COUNTERS = 10_000;
}
