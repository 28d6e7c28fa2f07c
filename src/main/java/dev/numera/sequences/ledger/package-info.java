/**
 * Who got which number, whether any is missing, closings, and the statuses of numbers.
 *
 * <p>{@link dev.numera.sequences.ledger.LedgerReader} reads the rows, {@link dev.numera.sequences.ledger.LedgerCheck}
 * finds gaps, {@link dev.numera.sequences.ledger.Closings} closes a span of dates, and
 * {@link dev.numera.sequences.ledger.StatusChanges} confirms and voids. Storage is behind
 * {@link dev.numera.sequences.ledger.LedgerStore}.
 */
@NullMarked
package dev.numera.sequences.ledger;

import org.jspecify.annotations.NullMarked;
