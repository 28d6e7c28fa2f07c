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
 * <p>Start at {@link dev.numera.sequences.numbering.Allocator}: it finds the definition and the period of a call
 * ({@link dev.numera.core.model.DateLimits} has those that it may be in), calls the counter, and returns a
 * {@link dev.numera.sequences.access.PrintedAllocation} for each request. Metrics and warnings are here, too.
 */
@NullMarked
package dev.numera.sequences.numbering;

import org.jspecify.annotations.NullMarked;
