/**
 * What an operator does from a shell: {@link dev.numera.operations.Maintain} is the main class of
 * {@code numera-maintain.jar}. Backups are read from the tables by {@code storage}, for the app's timer does the same.
 *
 * <p>Depends on {@code operations.prove}, {@code operations.restore}, {@code storage}, {@code sequence}, {@code model}
 * and {@code execution}; no room depends on it.
 */
@NullMarked
package dev.numera.operations;

import org.jspecify.annotations.NullMarked;
