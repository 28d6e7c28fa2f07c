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
 * <p>{@link dev.numera.sequences.definition.DefinitionEditor} is the entry point. It refuses to change what is fixed
 * since the first number ({@link dev.numera.core.model.FixedFields} lists the fields and the reasons), and finds out
 * when the answer to a change was lost. {@link dev.numera.sequences.definition.StateReader} reports how far the
 * sequence is.
 */
@NullMarked
package dev.numera.sequences.definition;

import org.jspecify.annotations.NullMarked;
