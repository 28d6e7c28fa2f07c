/**
 * The optimistic increment: calls that wait for one counter are merged into one conditional write, which is tried until
 * its outcome is known.
 *
 * <p>Come in by {@link dev.numera.counter.Counter}, where calls wait and are merged, and
 * {@link dev.numera.counter.BlockCounter} for numbers from memory. Why no number is allocated twice, and what follows
 * when the answer to a write is lost ({@link dev.numera.execution.WriteResult.Unknown}; {@code Lost} is a refusal), is
 * explained at {@code Attempt}, and how instances allocate for one another at {@code PeerRequester}; what a caller is
 * answered then, at {@code Call}; what is frozen while a write may still win, and why, at {@code Group}; how a table
 * that was put back is noticed at {@code View}; how an imported number is proved never to have been allocated, at
 * {@code ImportPlan}.
 *
 * <p>Storage is behind {@link dev.numera.counter.CounterStore}; the definition comes from a
 * {@link dev.numera.counter.DefinitionSource}. Depends on {@code model}, {@code execution} and {@code problem}; knows
 * neither Azure nor, but for the words of its refusals, HTTP.
 */
@NullMarked
package dev.numera.counter;

import org.jspecify.annotations.NullMarked;
