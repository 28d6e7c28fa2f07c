/**
 * Lists, searches and maintains all sequences: {@link dev.numera.sequences.catalog.SequenceList} lists them,
 * {@link dev.numera.sequences.catalog.SequenceSearch} finds a key, a text or a number in them, and
 * {@link dev.numera.sequences.catalog.Maintenance} suspends, resumes and repairs them after a restore.
 *
 * <pre>{@code
 * MemoryCounterStore table = new MemoryCounterStore();
 * Sequences sequences = TestSequences.over(table).start();
 * SequenceName invoice = new SequenceName("shop", "invoice");
 * sequences.allocator().next(invoice, List.of(new NumberRequest("order-1", 1, null)));
 * SequenceSearch.Found found = sequences.search().find(null, "order-1", 10, null);
 * SequenceName name = found.hits().get(0).sequence(); // shop/invoice
 * }</pre>
 */
@NullMarked
package dev.numera.sequences.catalog;

import org.jspecify.annotations.NullMarked;
