/**
 * Numbers the batches of the queue: reads a message, sends its results, and moves a message that keeps failing to the
 * poison queue.
 *
 * <pre>{@code
 * // Given: Upload upload
 * QueueMessage.OfPart part = QueueMessage.OfPart.next(upload);
 * String message = part.toMessage();
 * }</pre>
 *
 * <p>Start with {@link dev.numera.functions.queue.NumberBatchFunction}; {@link dev.numera.functions.queue.QueueMessage}
 * is a parsed message, {@link dev.numera.functions.queue.ResultParts} splits results into messages, and
 * {@link dev.numera.functions.queue.PoisonQueue} contains the messages that failed.
 */
@NullMarked
package dev.numera.functions.queue;

import org.jspecify.annotations.NullMarked;
