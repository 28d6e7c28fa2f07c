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
 * A queue to send to, and to look into. Messages go as they are, without Base64, and last for the 7 days that are the
 * service's default, unless they are sent hidden. Thread-safe; calls block for storage requests, at most three unless
 * they say otherwise, and never repeat one that failed unless they say so. A queue that is missing is empty.
 *
 * <p>Decision: {@code docs/decisions/the-app-sends-queue-messages.md}.
 */
public final class MessageQueue {
    /** What one message holds, in bytes of UTF-8. */
    public static final int MAX_MESSAGE_BYTES = 64 * 1024;
    /** As many as the service shows or returns at once. */
    public static final int AT_ONCE = 32;
    /** How long a message that was taken is hidden from others, unless it is returned before. */
    static final Duration HIDDEN = Duration.ofSeconds(30);
    /** A value of the service's own. */
    private static final Duration NEVER_EXPIRES = Duration.ofSeconds(-1);
    /** How many messages a search takes at most, so that it can return them within that time. */
    private static final int MOST_SEARCHED = 10 * AT_ONCE;

    /**
     * A message as it lies in the queue, or one that was taken: others do not see it for now, and it is visible again
     * by itself unless it is deleted.
     *
     * @param receipt that makes it ours for now; null unless it was taken
     */
    public record Message(String id, @Nullable String receipt, String text, Instant insertedAt, Instant expiresAt) {}

    private final QueueClient client;

    MessageQueue(QueueClient client) {
        this.client = client;
    }

    /**
     * Sends a message; a queue that is missing is made first. After a failure that may pass it is sent once more, so it
     * may arrive twice: else the batch that it answers would be delivered again, half a minute later. At most six
     * requests.
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
     * Sends a message that stays hidden at first and never expires; only once.
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
     * The first messages that are visible, at most {@value #AT_ONCE}, without taking them.
     *
     * @throws StoreFailure it could not be looked into
     */
    public List<Message> peek() {
        return orElse(List.of(), "Looking into", () -> client.peekMessages(AT_ONCE, null, null).stream()
                .map(message -> new Message(
                        message.getMessageId(),
                        null,
                        text(message.getBody()),
                        message.getInsertionTime().toInstant(),
                        message.getExpirationTime().toInstant()))
                .toList());
    }

    /**
     * How many messages there are, as far as the service knows; hidden ones too.
     *
     * @throws StoreFailure it does not say
     */
    public long approximateCount() {
        return orElse(0L, "Counting", () -> client.getProperties().getApproximateMessagesCountLong());
    }

    /**
     * Takes one message out of the others. The service finds none by its id: so the first ones are taken, up to
     * {@value #MOST_SEARCHED} of them, and all but this one are returned at once, one request for each. They come after
     * those that were not taken then, and are hidden meanwhile; if it breaks off, for 30 s.
     *
     * @return empty where it is gone, taken by another caller, or behind so many others
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
     * Lets others see a message again, unless its time was over and another caller has it.
     *
     * @throws StoreFailure it is hidden until its time is over
     */
    public void giveBack(Message message) {
        orElse(message, "Giving a message back to", () -> {
            show(message);
            return message;
        });
    }

    private void show(Message message) {
        ifStillOurs(() -> client.updateMessage(message.id(), message.receipt(), null, Duration.ZERO));
    }

    /**
     * Deletes a message, unless its time was over and another caller has it or has deleted it.
     *
     * @throws StoreFailure it may be there still
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

    /** The client throws unrelated types: whatever it is, the result of the request is unknown. */
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
