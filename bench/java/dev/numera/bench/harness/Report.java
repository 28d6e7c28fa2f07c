package dev.numera.bench.harness;

import dev.numera.bench.strategy.Traffic;

/**
 * What one worker process saw in one window.
 *
 * @param calls that ended in the window
 * @param numbers that these calls got
 * @param failures calls that ended with an error
 * @param unfinished calls still under way when the window closed; their age then is in the histogram
 * @param elapsedNanos from the opening to the close, or to the last call if the calls were used up before
 * @param histogram of the time a call took, in nanoseconds, compressed and in Base64
 * @param firstFailure what the first failure said, or null
 */
record Report(
        long calls,
        long numbers,
        long failures,
        long unfinished,
        long elapsedNanos,
        String histogram,
        String firstFailure,
        Traffic.Counts traffic) {}
