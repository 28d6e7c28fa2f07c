/**
 * The file that a backup is, as {@code docs/operations.md} describes it: {@link dev.numera.backup.BackupWriter} writes
 * it; the {@code BackupReader} of {@code operations.restore} reads it and takes none that is cut off or changed.
 *
 * <p>Knows rows and bytes alone: which rows are read in which order is {@code storage}'s, and where the file goes, that
 * of who makes one. Depends on {@code json} alone.
 */
@NullMarked
package dev.numera.backup;

import org.jspecify.annotations.NullMarked;
