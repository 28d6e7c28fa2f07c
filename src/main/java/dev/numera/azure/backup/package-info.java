/**
 * Writes backups. Reads whole tables into a file, whose format {@code docs/operations.md} describes, and uploads it to
 * a container.
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
