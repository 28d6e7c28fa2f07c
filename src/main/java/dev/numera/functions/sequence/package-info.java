/**
 * The bindings for the owner of a sequence: definitions, their changes and actors, the state of sequences and their
 * counters, and advancing one.
 *
 * <p>{@link dev.numera.functions.sequence.SequenceFunctions} has them; {@code SequenceJson} is how a definition is
 * read, and how all of these are written. Depends on {@code functions}, {@code sequence}, {@code batch}, {@code model},
 * {@code json} and {@code problem}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.sequence;

import org.jspecify.annotations.NullMarked;
