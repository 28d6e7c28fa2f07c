/**
 * The bindings of what a sequence's owner asks for: definitions, what was changed and by whom, how far sequences and
 * their counters are, and moving one on.
 *
 * <p>{@link dev.numera.functions.administration.PutDefinitionFunction} defines a sequence; {@code DefinitionJson} is
 * how a definition is read and written, {@code Preconditions} what a change may be conditioned on. Depends on
 * {@code functions}, {@code sequence}, {@code definition}, {@code counter} and {@code problem}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.administration;

import org.jspecify.annotations.NullMarked;
