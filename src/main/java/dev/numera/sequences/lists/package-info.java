/**
 * Works through lists in parts: batches of keys, uploads, and imports of numbers from another system. Each key gets its
 * numbers exactly once, however often a part is delivered.
 *
 * <pre>{@code
 * MemoryCounterStore table = new MemoryCounterStore();
 * Sequences sequences = TestSequences.over(table).start();
 * SequenceName invoice = new SequenceName("shop", "invoice");
 * ListWork work = new ListWork(sequences.allocator(), sequences.imports());
 * List<NumberRequest> requests = NumberRequest.ofEach(List.of("order-1", "order-2"), 1, null, false);
 * List<RowResult<NumberRequest>> results = work.number(invoice, requests, Instant.now());
 * long last = results.get(1).result().orThrow().first(); // 2
 * }</pre>
 *
 * <p>Start with {@link dev.numera.sequences.lists.ListWork} for a message and
 * {@link dev.numera.sequences.lists.Uploads} for a list. Storage implements
 * {@link dev.numera.sequences.lists.UploadStore}. This package does not depend on Azure or HTTP.
 */
@NullMarked
package dev.numera.sequences.lists;

import org.jspecify.annotations.NullMarked;
