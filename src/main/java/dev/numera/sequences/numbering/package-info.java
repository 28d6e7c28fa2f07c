/**
 * Allocates numbers: from a request to the printed texts.
 *
 * <pre>{@code
 * MemoryCounterStore table = new MemoryCounterStore();
 * Sequences sequences = TestSequences.over(table).start();
 * SequenceName invoice = new SequenceName("shop", "invoice");
 * NumberRequest request = new NumberRequest("order-1", 2, null);
 * PrintedAllocation allocated = sequences.allocator().next(invoice, List.of(request)).results().get(0).orThrow();
 * long last = allocated.last(); // 2
 * PrintedAllocation again = sequences.allocator().next(invoice, List.of(request)).results().get(0).orThrow();
 * boolean isReplayed = again.replayed(); // true
 * }</pre>
 *
 * <p>Start with {@link dev.numera.sequences.numbering.Allocator}: it finds the definition and the period of a call,
 * checks the date with {@link dev.numera.core.model.DateLimits}, calls the counter, and returns a
 * {@link dev.numera.sequences.access.PrintedAllocation} for each request. This package also records the metrics and
 * logs the warnings.
 */
@NullMarked
package dev.numera.sequences.numbering;

import org.jspecify.annotations.NullMarked;
