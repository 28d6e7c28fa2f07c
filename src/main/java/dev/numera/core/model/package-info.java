/**
 * The values of a sequence, without I/O: definitions, requests for numbers, and the states of counters and ledgers.
 *
 * <pre>{@code
 * DefinitionDraft draft = DefinitionDraft.EMPTY.with(DefinitionField.INCREMENT, 5L);
 * Definition definition = draft.complete(new SequenceName("shop", "invoice"), Instant.now());
 * Series series = definition.series();
 * long last = series.last(1, 3); // 11
 * CounterState counter = CounterState.first(series.start(), Instant.now());
 * long next = counter.next(); // 1
 * }</pre>
 *
 * <p>A caller sends a {@link dev.numera.core.model.DefinitionDraft}: fields with a value, with null, or left out.
 * {@link dev.numera.core.model.Definition} has every field; {@link dev.numera.core.model.FixedFields} no longer change
 * after the first number. {@link dev.numera.core.model.Sequence} is a stored definition, ready for use: with its id,
 * its formats ({@link dev.numera.core.model.FormatHistory}, which keeps the texts of two formats apart) and whether it
 * is in use or retired; it makes texts of numbers and reads texts back. {@link dev.numera.core.model.Series} is the
 * arithmetic of its numbers. {@link dev.numera.core.model.DefinitionField} lists the fields,
 * {@link dev.numera.core.model.Change} is an entry of the change log.
 *
 * <p>{@link dev.numera.core.model.CounterRequest} is a request to a counter,
 * {@link dev.numera.core.model.CounterOutcome} its outcome, {@link dev.numera.core.model.CounterState} the counter's
 * row in storage, {@link dev.numera.core.model.LedgerRow} a row of the ledger in number order.
 */
@NullMarked
package dev.numera.core.model;

import org.jspecify.annotations.NullMarked;
