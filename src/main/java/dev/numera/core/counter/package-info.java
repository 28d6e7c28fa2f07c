/**
 * Allocation by optimistic writes: waiting calls for one counter are merged into one conditional write, which is
 * retried until its outcome is known.
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
 * <p>Start with {@link dev.numera.core.counter.Counter}, which queues calls and merges them into one write, and with
 * {@link dev.numera.core.counter.BlockCounter}, which allocates numbers from memory. These classes explain the rest:
 *
 * <ul>
 *   <li>{@code Attempt}: why no number is allocated twice, and how a group continues when the answer to a write is lost
 *       ({@link dev.numera.core.retry.WriteResult.Unknown}; {@code Lost} is a refusal).
 *   <li>{@code PeerRequester}: how instances allocate numbers for each other.
 *   <li>{@code WaitingCall}: the answers that callers get.
 *   <li>{@code WriteGroup}: the parts of a group that are frozen while a write may still win, and why.
 *   <li>{@code KnownCounter}: how an instance notices that an old table was restored.
 *   <li>{@code ImportPlan}: how a sequence proves that it never allocated an imported number.
 * </ul>
 *
 * <p>The package reaches storage through {@link dev.numera.core.counter.CounterStore} and gets the definition from a
 * {@link dev.numera.core.counter.DefinitionSource}. It does not depend on Azure, and on HTTP only in the texts of its
 * refusals.
 */
@NullMarked
package dev.numera.core.counter;

import org.jspecify.annotations.NullMarked;
