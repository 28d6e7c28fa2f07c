/**
 * Puts a backup back into the tables: {@link dev.numera.operations.restore.TableRestore} is its entry point. It reads
 * the file twice with {@link dev.numera.operations.restore.BackupReader}, first to see that it is whole.
 *
 * <p>Depends on {@code storage}, {@code backup}, {@code sequence}, {@code model}, {@code execution} and {@code json};
 * only {@code operations} depends on it.
 */
@NullMarked
package dev.numera.operations.restore;

import org.jspecify.annotations.NullMarked;
