/**
 * What a batch of keys and an uploaded list of rows, to be numbered or imported, are, and how they are worked off: each
 * key exactly once, however often a part is delivered.
 *
 * <p>Start at {@link dev.numera.batch.BatchWork} for a message and {@link dev.numera.batch.Uploads} for a list, which
 * {@link dev.numera.batch.UploadReader} reads back. Storage is behind {@link dev.numera.batch.UploadStore}. Depends on
 * {@code sequence}, {@code model}, {@code execution} and {@code problem}; knows neither Azure nor HTTP.
 */
@NullMarked
package dev.numera.batch;

import org.jspecify.annotations.NullMarked;
