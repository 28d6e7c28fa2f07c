package dev.numera.azure;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueErrorCode;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends to an Azure queue, and inspects it. Message texts are sent without Base64. Messages expire after 7 days, the
 * service's default, unless they are sent hidden. A missing queue counts as empty. Thread-safe. Unless a method states
 * otherwise, a call blocks for at most three storage requests and repeats none that failed.
 *
 * <p>Decision: {@code docs/decisions/the-app-sends-queue-messages.md}.
 */
public final class MessageQueue {
    /** The most UTF-8 bytes that the service accepts in one message. */
    public static final int MAX_MESSAGE_BYTES = 64 * 1024;
    /** The most messages that the service returns in one request. */
    public static final int AT_ONCE = 32;
    /** The time for which a taken message stays invisible to other callers, unless it is returned earlier. */
    static final Duration HIDDEN = Duration.ofSeconds(30);
    /** The value that the service defines for messages that never expire. */
    private static final Duration NEVER_EXPIRES = Duration.ofSeconds(-1);
    /** The most messages that a search takes, so that it can return them before {@link #HIDDEN} ends. */
    private static final int MOST_SEARCHED = 10 * AT_ONCE;

    /**
     * A message that was peeked at or taken. A taken message is invisible to other callers for a while, and visible
     * again if it is not deleted by then.
     *
     * @param receipt proves that this caller holds the message; null if it was only peeked at
     */
    public record Message(String id, @Nullable String receipt, String text, Instant insertedAt, Instant expiresAt) {}

    private final QueueClient client;

    MessageQueue(QueueClient client) {
        this.client = client;
    }

    /**
     * Sends a message; creates the queue if it is missing. After a temporary failure it sends the message once more, so
     * the message may arrive twice. The alternative would be worse: the host would deliver the batch again, half a
     * minute later, only to repeat its answer. At most six requests.
     *
     * @param text at most {@link #MAX_MESSAGE_BYTES}
     * @throws StoreFailure the message may or may not have been sent
     */
    public void send(String text) {
        try {
            sendOrCreate(() -> client.sendMessage(text));
        } catch (StoreFailure e) {
            if (!e.isWorthRetrying()) {
                throw e;
            }
            sendOrCreate(() -> client.sendMessage(text));
        }
    }

    /**
     * Sends a message that stays hidden at first and never expires. Does not repeat a failed send.
     *
     * @param hidden up to 7 days, in whole seconds
     */
    public void sendHidden(String text, Duration hidden) {
        sendOrCreate(() -> client.sendMessageWithResponse(text, hidden, NEVER_EXPIRES, null, Context.NONE));
    }

    private void sendOrCreate(Runnable send) {
        try {
            try {
                send.run();
            } catch (QueueStorageException e) {
                if (!QueueErrorCode.QUEUE_NOT_FOUND.equals(e.getErrorCode())) {
                    throw e;
                }
                client.createIfNotExists();
                send.run();
            }
        } catch (RuntimeException e) {
            throw failure("Sending to", e);
        }
    }

    /**
     * Returns the first visible messages, at most {@value #AT_ONCE}, without taking them.
     *
     * @throws StoreFailure the queue cannot be read
     */
    public List<Message> peek() {
        return orElse(List.of(), "Reading", () -> client.peekMessages(AT_ONCE, null, null).stream()
                .map(message -> new Message(
                        message.getMessageId(),
                        null,
                        text(message.getBody()),
                        message.getInsertionTime().toInstant(),
                        message.getExpirationTime().toInstant()))
                .toList());
    }

    /**
     * Returns the approximate number of messages, including hidden ones.
     *
     * @throws StoreFailure the service did not report the number
     */
    public long approximateCount() {
        return orElse(0L, "Counting", () -> client.getProperties().getApproximateMessagesCountLong());
    }

    /**
     * Takes the message with an id. The service cannot find a message by its id, so this method takes up to
     * {@value #MOST_SEARCHED} messages from the front of the queue and returns the others back, with one request for
     * each. They are invisible meanwhile and return to the end of the queue. If the search is interrupted, they become
     * visible after 30 s.
     *
     * @return empty if the message was deleted, another caller has taken it, or too many messages precede it
     * @throws StoreFailure nothing was changed, but some messages may be hidden for 30 s
     */
    public Optional<Message> take(String id) {
        return orElse(Optional.empty(), "Taking a message from", () -> {
            List<Message> taken = new ArrayList<>();
            List<Message> received;
            do {
                received = receive();
                taken.addAll(received);
            } while (!received.isEmpty() && taken.size() < MOST_SEARCHED && isNone(received, id));
            taken.stream().filter(message -> !message.id().equals(id)).forEach(this::show);
            return taken.stream().filter(message -> message.id().equals(id)).findFirst();
        });
    }

    private List<Message> receive() {
        return client.receiveMessages(AT_ONCE, HIDDEN, null, null).stream()
                .map(MessageQueue::taken)
                .toList();
    }

    private static boolean isNone(List<Message> messages, String id) {
        return messages.stream().noneMatch(message -> message.id().equals(id));
    }

    /**
     * Makes a taken message visible to other callers again. Does nothing if this caller no longer holds it.
     *
     * @throws StoreFailure the message may stay hidden until its time is over
     */
    public void giveBack(Message message) {
        orElse(message, "Returning a message to", () -> {
            show(message);
            return message;
        });
    }

    private void show(Message message) {
        ifStillOurs(() -> client.updateMessage(message.id(), message.receipt(), null, Duration.ZERO));
    }

    /**
     * Deletes a taken message. Does nothing if this caller no longer holds it.
     *
     * @throws StoreFailure the message may still exist
     */
    public void delete(Message message) {
        orElse(message, "Deleting a message of", () -> {
            ifStillOurs(() -> client.deleteMessage(message.id(), message.receipt()));
            return message;
        });
    }

    private static void ifStillOurs(Runnable request) {
        try {
            request.run();
        } catch (QueueStorageException e) {
            boolean isOfSomebodyElse = QueueErrorCode.MESSAGE_NOT_FOUND.equals(e.getErrorCode())
                    || QueueErrorCode.POP_RECEIPT_MISMATCH.equals(e.getErrorCode());
            if (!isOfSomebodyElse) {
                throw e;
            }
        }
    }

    private <T> T orElse(T ofAMissingQueue, String what, Supplier<T> requests) {
        try {
            return requests.get();
        } catch (QueueStorageException e) {
            if (QueueErrorCode.QUEUE_NOT_FOUND.equals(e.getErrorCode())) {
                return ofAMissingQueue;
            }
            throw failure(what, e);
        } catch (RuntimeException e) {
            throw failure(what, e);
        }
    }

    /** The client's exceptions have no common type, and none of them proves what the request did. */
    private StoreFailure failure(String what, RuntimeException e) {
        return RequestFailure.of(e, new RawResponse()).describedAs(what + " the queue " + client.getQueueName());
    }

    private static Message taken(QueueMessageItem message) {
        return new Message(
                message.getMessageId(),
                message.getPopReceipt(),
                text(message.getBody()),
                message.getInsertionTime().toInstant(),
                message.getExpirationTime().toInstant());
    }

    private static String text(@Nullable BinaryData body) {
        return body == null ? "" : body.toString();
    }
}
