/**
 * Backups: whole tables are read, written to a file that {@code docs/operations.md} describes, and put into a
 * container.
 *
 * <pre>{@code
 * // Given: StorageConnection connection, Path file
 * try (OutputStream out = Files.newOutputStream(file)) {
 *     long rows = new TableExport(connection).exportTo(out, InstantSource.system());
 * }
 * }</pre>
 *
 * <p>Only the backup timer and the maintenance program load these classes.
 */
@NullMarked
package dev.numera.azure.backup;

import org.jspecify.annotations.NullMarked;
