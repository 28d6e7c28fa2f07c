/**
 * The tools for sending requests to storage: the clock, limits, deadlines, the delay between attempts, requests that
 * several threads share, the bound on characters in memory, and the three outcomes of a conditional write
 * ({@link dev.numera.core.retry.WriteResult}). The package knows nothing of sequences.
 *
 * <pre>{@code
 * RetryPolicy retries = new RetryPolicy(TestLimits.DEFAULT.limits(), Clock.SYSTEM, () -> 0.5);
 * Deadline deadline = Deadline.in(Duration.ofSeconds(10), Clock.SYSTEM);
 * Iterator<String> answers = List.of("busy", "row").iterator();
 * String row = retries.call(deadline, () -> {
 *     String answer = answers.next();
 *     if (answer.equals("busy")) {
 *         throw new StoreFailure("The store is busy.", true, null);
 *     }
 *     return answer;
 * });
 * String result = row; // row
 * }</pre>
 */
@NullMarked
package dev.numera.core.retry;

import org.jspecify.annotations.NullMarked;
