/**
 * The optimistic increment: calls that wait for one counter are merged into one conditional write, which is tried until
 * its outcome is known.
 *
 * <pre>{@code
 * // Given: CounterStore store, DefinitionSource source, CounterEvents events, Limits limits, Executor threads
 * CounterEnvironment environment = new CounterEnvironment(
 *         store, PeerRequests.NONE, Clock.SYSTEM, () -> 0.5, threads, "process-1", new HighWaterMarks(1_000));
 * CounterId id = source.current().counter(LocalDate.now());
 * Counter counter = new Counter(id, source.current().fixed(), source, limits, environment, events);
 *
 * NumberRequest request = new NumberRequest("order-1", 1, null).on(LocalDate.now());
 * Deadline deadline = Deadline.in(Duration.ofSeconds(10), Clock.SYSTEM);
 * CallResult<CounterOutcome> result = counter.call(List.of(request), deadline);
 * CounterOutcome outcome = result.results().get(0).orThrow();
 * }</pre>
 *
 * <p>Start with {@link dev.numera.core.counter.Counter}, where calls wait and are merged, and
 * {@link dev.numera.core.counter.BlockCounter} for numbers from memory. Why no number is allocated twice, and what
 * follows when the answer to a write is lost ({@link dev.numera.core.retry.WriteResult.Unknown}; {@code Lost} is a
 * refusal), is explained at {@code Attempt}, and how instances allocate for one another at {@code PeerRequester}; what
 * a caller is answered then, at {@code WaitingCall}; what is frozen while a write may still win, and why, at
 * {@code WriteGroup}; how a table that was put back is noticed at {@code KnownCounter}; how an imported number is
 * proved never to have been allocated, at {@code ImportPlan}.
 *
 * <p>Storage is behind {@link dev.numera.core.counter.CounterStore}; the definition comes from a
 * {@link dev.numera.core.counter.DefinitionSource}. Knows neither Azure nor, but for the words of its refusals, HTTP.
 */
@NullMarked
package dev.numera.core.counter;

import org.jspecify.annotations.NullMarked;
