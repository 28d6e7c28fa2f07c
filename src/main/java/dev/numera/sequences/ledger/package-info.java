/**
 * Reads, checks and closes the ledger: its entries show which key has which number, whether a number is missing, and
 * the status of each number.
 *
 * <pre>{@code
 * MemoryCounterStore table = new MemoryCounterStore();
 * Sequences sequences = TestSequences.over(table).start();
 * SequenceName invoice = new SequenceName("shop", "invoice");
 * sequences.allocator().next(invoice, List.of(new NumberRequest("order-1", 3, null)));
 * LedgerLine line = sequences.ledger().find(invoice, "order-1").orElseThrow();
 * long last = line.last(); // 3
 * CheckedPage<LedgerPosition> page = sequences.ledgerCheck().check(invoice, 1, 100, null, null, null);
 * List<LedgerGap> gaps = page.gaps(); // []
 * }</pre>
 *
 * <p>{@link dev.numera.sequences.ledger.LedgerReader} reads the rows, {@link dev.numera.sequences.ledger.LedgerCheck}
 * finds gaps, {@link dev.numera.sequences.ledger.Closings} closes a span of dates, and
 * {@link dev.numera.sequences.ledger.StatusChanges} confirms and voids numbers. All of them page through
 * {@code LedgerCursor}. Storage implements {@link dev.numera.sequences.ledger.LedgerStore}.
 */
@NullMarked
package dev.numera.sequences.ledger;

import org.jspecify.annotations.NullMarked;
