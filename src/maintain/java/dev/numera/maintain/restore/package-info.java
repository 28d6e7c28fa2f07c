/**
 * Puts a backup back into the tables: {@link dev.numera.maintain.restore.TableRestore} is its entry point. It reads the
 * file twice with {@link dev.numera.maintain.restore.BackupReader}, the first time only to check that it is complete.
 *
 * <pre>{@code
 * // Given: StorageConnection connection, Path file
 * TableRestore restore = new TableRestore(connection);
 * BackupReader.Contents contents =
 *         restore.importFrom(file.toString(), () -> Files.newInputStream(file), false, Clock.SYSTEM);
 * long rows = contents.rows();
 * }</pre>
 */
@NullMarked
package dev.numera.maintain.restore;

import org.jspecify.annotations.NullMarked;
