/**
 * What a sequence is: the fields of its definition with their defaults and bounds, the formats that it had, the changes
 * that it went through, and what this instance knows of it.
 *
 * <p>{@link dev.numera.definition.DefinitionDraft} is what a caller sends: fields with a value, with null, or left out.
 * {@link dev.numera.definition.Definition} has every field; {@link dev.numera.counter.FixedFields} are those of them
 * that the first number fixes. {@link dev.numera.definition.StoredDefinition} is a row: the definition with its id, the
 * formats that it had ({@link dev.numera.definition.FormatHistory}), and whether it is in use or retired.
 * {@link dev.numera.definition.KnownDefinition} is a row made ready to number by: it is the
 * {@link dev.numera.counter.Terms} that a counter sees, with the {@link dev.numera.counter.Series} of its numbers and
 * the compiled format, which knows of the sequence what its {@link dev.numera.format.FormatContext} says.
 * {@link dev.numera.definition.Definitions} keeps those that an instance uses.
 *
 * <p>{@link dev.numera.definition.DefinitionField} lists the fields, {@link dev.numera.definition.Revisions} keeps the
 * texts of two formats apart, {@link dev.numera.definition.Change} is an entry of the change log.
 *
 * <p>Storage is behind {@link dev.numera.definition.DefinitionStore}. Depends on {@code counter}, {@code format} and
 * {@code problem}.
 */
@NullMarked
package dev.numera.definition;

import org.jspecify.annotations.NullMarked;
