/**
 * What concerns all sequences: {@link dev.numera.sequences.catalog.SequenceList} lists them,
 * {@link dev.numera.sequences.catalog.SequenceSearch} finds a key, a text or a number in them, and
 * {@link dev.numera.sequences.catalog.Maintenance} suspends, resumes and repairs them after a restore.
 */
@NullMarked
package dev.numera.sequences.catalog;

import org.jspecify.annotations.NullMarked;
