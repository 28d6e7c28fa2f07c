/**
 * How requests are carried out: the clock, limits, deadlines, the delay between attempts, requests that several threads
 * share, the bound on characters in memory, and the three outcomes of a conditional write
 * ({@link dev.numera.core.retry.WriteResult}). Knows no sequences. Depends on {@code core.problem}.
 */
@NullMarked
package dev.numera.core.retry;

import org.jspecify.annotations.NullMarked;
