package dev.numera.sequence;

import dev.numera.counter.CounterLimits;

/**
 * The bounds within which sequences work.
 *
 * @param maxIdleCounters how many sequences' states are kept in memory
 * @param maxDaysAhead how many days from today a date may be ahead that numbers are requested for
 * @param maxDaysBack how many days back from today a date may lie that opens a period
 */
public record SequenceLimits(CounterLimits counters, int maxIdleCounters, int maxDaysAhead, int maxDaysBack) {}
