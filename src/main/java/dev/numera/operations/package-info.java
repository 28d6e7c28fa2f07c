/**
 * What an operator does from a shell: {@link dev.numera.operations.Maintain} is the main class of
 * {@code numera-maintain.jar}. Backups themselves are {@code storage}'s, for the app's timer uses the same.
 *
 * <p>Depends on {@code operations.prove}, {@code storage}, {@code backup}, {@code sequence}, {@code model} and
 * {@code execution}; no room depends on it.
 */
@NullMarked
package dev.numera.operations;

import org.jspecify.annotations.NullMarked;
