/**
 * Allocates numbers by an optimistic increment. Calls that wait for the same counter are merged into one conditional
 * write, which is repeated until its outcome is known.
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
 * <p>Start with {@link dev.numera.core.counter.Counter}, which queues and merges calls, and with
 * {@link dev.numera.core.counter.BlockCounter}, which allocates numbers from memory. These classes explain the rest:
 *
 * <ul>
 *   <li>{@code Attempt}: why no number is allocated twice, and how an attempt continues when the answer to a write is
 *       missing. {@link dev.numera.core.retry.WriteResult.Unknown} means a missing answer, {@code Refused} a refusal.
 *   <li>{@code WriteVerdict}: what a later read proves about a write without a trustworthy answer.
 *   <li>{@code WaitingCall}: which answer a caller gets when its call does not succeed.
 *   <li>{@code WriteGroup}: why a group is frozen while its write may still win.
 *   <li>{@code PeerRequester}: how instances allocate numbers for one another.
 *   <li>{@code KnownCounter}: how a process notices that a table was restored.
 *   <li>{@code ImportPlan}: how the sequence proves that it never allocated an imported number.
 * </ul>
 *
 * <p>Storage is behind {@link dev.numera.core.counter.CounterStore}; the definition comes from a
 * {@link dev.numera.core.counter.DefinitionSource}. The package knows nothing of Azure, and of HTTP only the terms in
 * the texts of its refusals.
 */
@NullMarked
package dev.numera.core.counter;

import org.jspecify.annotations.NullMarked;
