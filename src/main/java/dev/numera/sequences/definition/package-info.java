/**
 * Defines, changes, suspends and retires one sequence for its owner.
 *
 * <pre>{@code
 * MemoryCounterStore table = new MemoryCounterStore();
 * Sequences sequences = TestSequences.over(table).start();
 * SequenceName invoice = new SequenceName("shop", "invoice");
 * DefinitionDraft draft = DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "INV-{n:5}");
 * ChangeNote note = new ChangeNote("anna@example.com", null);
 * Sequence created = sequences.editor().put(invoice, draft, Precondition.ABSENT, note);
 * Sequence suspended = sequences.lifecycle().suspend(invoice, note);
 * boolean isStopped = suspended.isStopped(); // true
 * }</pre>
 *
 * <p>{@link dev.numera.sequences.definition.DefinitionEditor} is the entry point. It refuses to change the fields that
 * are fixed since the first number ({@link dev.numera.core.model.FixedFields} lists them with the reasons), and reports
 * {@code outcome-unknown} if storage did not answer a change. {@link dev.numera.sequences.definition.StateReader}
 * reports the next numbers and the progress of the sequence.
 */
@NullMarked
package dev.numera.sequences.definition;

import org.jspecify.annotations.NullMarked;
