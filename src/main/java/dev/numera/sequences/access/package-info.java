/**
 * Finds or creates the definition of a sequence, and bounds each call to it: one deadline, and a limit on the calls of
 * one sequence at a time.
 *
 * <p>{@link dev.numera.sequences.access.SequenceCalls} starts a call;
 * {@link dev.numera.sequences.access.DefinitionCache} keeps the definitions that this instance uses. Storage is behind
 * {@link dev.numera.sequences.access.DefinitionStore}.
 */
@NullMarked
package dev.numera.sequences.access;

import org.jspecify.annotations.NullMarked;
