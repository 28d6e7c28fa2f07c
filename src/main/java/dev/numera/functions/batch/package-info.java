/**
 * The bindings of the queue, of uploads, of imports and of their results: message envelopes, CSV and JSON of lists,
 * answers to the results queue; and what lies in the poison queue.
 *
 * <p>Come in by {@link dev.numera.functions.batch.NumberBatchFunction} for a message,
 * {@link dev.numera.functions.batch.UploadBatchFunction} and {@link dev.numera.functions.batch.ReadBatchFunction} for a
 * list, {@link dev.numera.functions.batch.ImportNumbersFunction} for numbers of another system. Depends on
 * {@code functions}, {@code storage}, {@code batch}, {@code sequence}, {@code counter} and {@code problem}; nothing
 * depends on it.
 */
@NullMarked
package dev.numera.functions.batch;

import org.jspecify.annotations.NullMarked;
