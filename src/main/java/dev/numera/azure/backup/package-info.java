/**
 * Backups: whole tables are read, written to a file that {@code docs/operations.md} describes, and put into a
 * container.
 *
 * <p>Only the backup timer and the maintenance program load these classes.
 */
@NullMarked
package dev.numera.azure.backup;

import org.jspecify.annotations.NullMarked;
