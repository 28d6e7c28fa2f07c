package dev.numera.storage;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueErrorCode;
import com.azure.storage.queue.models.QueueStorageException;
import dev.numera.counter.StoreFailure;

/**
 * A queue to send to. Messages go as they are, without Base64, and last for the 7 days that are the service's default.
 * Thread-safe; calls block for at most three storage requests, and never repeat one that failed.
 */
public final class MessageQueue {
    /** What one message holds, in bytes of UTF-8. */
    public static final int MAX_MESSAGE_BYTES = 64 * 1024;

    private final QueueClient client;

    MessageQueue(QueueClient client) {
        this.client = client;
    }

    /**
     * Sends a message; a queue that is missing is made first.
     *
     * @param text at most {@link #MAX_MESSAGE_BYTES}
     * @throws StoreFailure the message may or may not have been sent
     */
    public void send(String text) {
        try {
            sendOrCreate(text);
        } catch (RuntimeException e) {
            // The client throws unrelated types: whatever it is, the message is not known to be there.
            throw RequestFailure.of(e, new WireAnswer()).describedAs("Sending to the queue " + client.getQueueName());
        }
    }

    private void sendOrCreate(String text) {
        try {
            client.sendMessage(text);
        } catch (QueueStorageException e) {
            if (!QueueErrorCode.QUEUE_NOT_FOUND.equals(e.getErrorCode())) {
                throw e;
            }
            client.createIfNotExists();
            client.sendMessage(text);
        }
    }
}
