/**
 * The bindings of the queue, of uploads and of their results: message envelopes, CSV and JSON of lists, answers to the
 * results queue.
 *
 * <p>Come in by {@link dev.numera.functions.batch.NumberBatchFunction} for a message,
 * {@link dev.numera.functions.batch.UploadBatchFunction} and {@link dev.numera.functions.batch.ReadBatchFunction} for a
 * list. Depends on {@code functions}, and on what that depends on but {@code format}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.batch;

import org.jspecify.annotations.NullMarked;
