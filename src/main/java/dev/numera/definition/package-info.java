/**
 * What a sequence is: the fields of its definition with their defaults and bounds, the formats that it had, the changes
 * that it went through, and what this instance knows of it.
 *
 * <p>{@link dev.numera.definition.DefinitionDraft} is what a caller sends, {@link dev.numera.definition.Definition}
 * what it means, {@link dev.numera.definition.StoredDefinition} a row, {@link dev.numera.definition.KnownDefinition} a
 * row as an instance uses it; {@link dev.numera.definition.Definitions} keeps those that are in use. What is fixed
 * since the first number stands in {@link dev.numera.counter.FixedFields}.
 *
 * <p>Storage is behind {@link dev.numera.definition.DefinitionStore}. Depends on {@code counter}, {@code format} and
 * {@code problem}.
 */
@NullMarked
package dev.numera.definition;

import org.jspecify.annotations.NullMarked;
