/**
 * The values of a sequence, without I/O: what it is defined as, what a caller requests, what a counter and its ledger
 * hold.
 *
 * <p>A caller sends a {@link dev.numera.model.DefinitionDraft}: fields with a value, with null, or left out.
 * {@link dev.numera.model.Definition} has every field; {@link dev.numera.model.FixedFields} are those that the first
 * number fixes. {@link dev.numera.model.Sequence} is a stored definition, ready for use: with its id, its formats
 * ({@link dev.numera.model.FormatHistory}, which keeps the texts of two formats apart) and whether it is in use or
 * retired; it makes texts of numbers and reads texts back. {@link dev.numera.model.Series} is the arithmetic of its
 * numbers. {@link dev.numera.model.DefinitionField} lists the fields, {@link dev.numera.model.Change} is an entry of
 * the change log.
 *
 * <p>{@link dev.numera.model.Request} is what a counter can do, {@link dev.numera.model.Outcome} what comes of it,
 * {@link dev.numera.model.CounterState} the counter's row, {@link dev.numera.model.LedgerRow} a row of the ledger in
 * number order.
 *
 * <p>Depends on {@code format} and {@code problem}.
 */
@NullMarked
package dev.numera.model;

import org.jspecify.annotations.NullMarked;
