/**
 * Lists that are worked off in parts: batches of keys, uploads, and imports of numbers of another system. Each key is
 * numbered exactly once, however often a part is delivered.
 *
 * <p>Start at {@link dev.numera.sequences.lists.ListWork} for a message and {@link dev.numera.sequences.lists.Uploads}
 * for a list. Storage is behind {@link dev.numera.sequences.lists.UploadStore}. Knows neither Azure nor HTTP.
 */
@NullMarked
package dev.numera.sequences.lists;

import org.jspecify.annotations.NullMarked;
