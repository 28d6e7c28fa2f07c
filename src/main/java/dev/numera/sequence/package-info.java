/**
 * Sequences: their numbering, administration, ledger, imports, and reading texts back.
 *
 * <p>Come in by {@link dev.numera.sequence.Sequences}, which wires one process and has whatever can be done with
 * sequences; a request is an {@link dev.numera.model.Take}, what it allocates {@link dev.numera.sequence.Numbers}.
 * {@link dev.numera.sequence.Numbering} finds the definition and the period of a call
 * ({@link dev.numera.model.DateLimits} has those that it may be in), calls its counter
 * ({@link dev.numera.sequence.Counters}) and writes the answer, with texts
 * ({@link dev.numera.sequence.NumbersFormatter}); {@link dev.numera.sequence.States} says how far it is.
 * {@link dev.numera.sequence.CounterMoves} advances counters. {@link dev.numera.sequence.Administration} changes
 * definitions by {@link dev.numera.sequence.ChangeRules}, which refuse what is fixed since the first number
 * ({@link dev.numera.model.FixedFields} says what and why); {@link dev.numera.sequence.SequenceLifecycle} suspends,
 * resumes and retires. {@link dev.numera.sequence.Imports} makes numbers of rows of another system; whether they may
 * come in, the counter decides.
 *
 * <p>Each call goes through {@link dev.numera.sequence.SequenceAccess}: it has one deadline and counts against the
 * bound of its sequence ({@link dev.numera.sequence.Bulkhead}). {@link dev.numera.sequence.Definitions} keeps the
 * definitions that an instance uses. Storage is behind {@link dev.numera.sequence.DefinitionStore} and
 * {@link dev.numera.sequence.LedgerStore}. Depends on {@code snowflake}, {@code counter}, {@code model},
 * {@code execution}, {@code format} and {@code problem}; knows neither Azure nor, but for the words of its refusals,
 * HTTP.
 */
@NullMarked
package dev.numera.sequence;

import org.jspecify.annotations.NullMarked;
