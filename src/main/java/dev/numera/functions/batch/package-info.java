/**
 * The bindings of the queue, of uploads, of imports and of their results: message envelopes, CSV and JSON of lists,
 * answers to the results queue; and what lies in the poison queue.
 *
 * <p>Start at {@link dev.numera.functions.batch.NumberBatchFunction} for a message,
 * {@link dev.numera.functions.batch.ListFunctions} for a list of keys, or of numbers of another system, and
 * {@link dev.numera.functions.batch.PoisonFunctions} for the poison queue. Depends on {@code functions},
 * {@code storage}, {@code batch}, {@code sequence}, {@code model}, {@code execution} and {@code problem}; nothing
 * depends on it.
 */
@NullMarked
package dev.numera.functions.batch;

import org.jspecify.annotations.NullMarked;
