/**
 * Finds or creates the definition of a sequence, and limits its calls: each call has one deadline, and the number of
 * calls in progress is bounded.
 *
 * <pre>{@code
 * RetryPolicy retries = new RetryPolicy(TestLimits.SMALL.limits(), Clock.SYSTEM, () -> 0.5);
 * DefinitionCache definitions = new DefinitionCache(new MemoryCounterStore(), 100, Clock.SYSTEM, Duration.ofSeconds(10));
 * SequenceCalls calls = new SequenceCalls(definitions, new Bulkhead(10), retries, Runnable::run);
 * try {
 *     calls.at(new SequenceName("shop", "invoice"), SequenceCalls.SequenceCall::definition);
 * } catch (ProblemException refusal) {
 *     ProblemType type = refusal.type(); // UNKNOWN_SEQUENCE
 * }
 * }</pre>
 *
 * <p>{@link dev.numera.sequences.access.SequenceCalls} starts a call;
 * {@link dev.numera.sequences.access.DefinitionCache} caches the definitions that this instance uses. Storage
 * implements {@link dev.numera.sequences.access.DefinitionStore}.
 */
@NullMarked
package dev.numera.sequences.access;

import org.jspecify.annotations.NullMarked;
