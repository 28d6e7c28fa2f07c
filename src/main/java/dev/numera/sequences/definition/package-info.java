/**
 * What the owner does to one sequence: define, change, suspend and retire it.
 *
 * <p>{@link dev.numera.sequences.definition.DefinitionEditor} is the entry point. It refuses to change what is fixed
 * since the first number ({@link dev.numera.core.model.FixedFields} lists the fields and the reasons), and finds out
 * when the answer to a change was lost. {@link dev.numera.sequences.definition.StateReader} reports how far the
 * sequence is.
 */
@NullMarked
package dev.numera.sequences.definition;

import org.jspecify.annotations.NullMarked;
