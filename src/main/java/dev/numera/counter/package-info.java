/**
 * The optimistic increment: calls that wait for one counter are merged into one conditional write, which is tried until its outcome is known.
 *
 * <p>Come in by {@link dev.numera.counter.Counter}, whose essay says why no number is handed out twice, and
 * {@link dev.numera.counter.BlockCounter} for numbers from memory. What is frozen while a write may still win, and why, stands at
 * {@link dev.numera.counter.Group}; what follows from a lost answer at {@link dev.numera.counter.Counter} and
 * {@link dev.numera.counter.WriteResult}.
 *
 * <p>Storage is behind {@link dev.numera.counter.CounterStore}; of definitions it knows what {@link dev.numera.counter.Terms} say. It knows
 * neither Azure nor HTTP, and depends on {@code problem} alone.
 */
package dev.numera.counter;
