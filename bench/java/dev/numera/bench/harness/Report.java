package dev.numera.bench.harness;

import dev.numera.bench.strategy.Traffic;

/**
 * The result of one worker process in one window.
 *
 * @param calls the calls that ended in the window
 * @param numbers the numbers that these calls received
 * @param failures the calls that ended with an error
 * @param unfinished the calls in progress at the end of the window; the histogram contains their age at that time
 * @param elapsedNanos the time from the opening to the end of the window, or to the last call if the calls were used up
 *     before
 * @param histogram the time of a call in nanoseconds, compressed and in Base64
 * @param firstFailure the message of the first failure, or null
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
