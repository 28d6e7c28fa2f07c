/**
 * Restores a backup into the tables. Start with {@link dev.numera.maintain.restore.Recovery}, which recovers the whole
 * service, or {@link dev.numera.maintain.restore.TableRestore}, which only writes the rows. Both read the backup twice
 * with {@link dev.numera.maintain.restore.BackupReader}, the first time only to check that it is complete.
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
