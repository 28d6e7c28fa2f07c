package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Processes one message. Calls the function, and deletes the message on success. If the function fails, the message
 * becomes visible again after {@code visibilityTimeout}. After its last try, the message moves to the poison queue
 * instead. Thread-safe.
 */
final class QueueProcessor implements AutoCloseable {
    /** The lock that the real host uses. It is renewed halfway. */
    static final Duration LOCK = Duration.ofMinutes(10);

    private static final int NOT_FOUND = 404;
    private static final Logger LOG = Logger.getLogger("Host.Queue");

    private final Function function;
    private final HostSettings.Queues settings;
    private final Duration lock;
    private final QueueClient queue;
    private final Optional<QueueClient> poison;
    private final ScheduledExecutorService renewals =
            Executors.newSingleThreadScheduledExecutor(task -> new DaemonThread(task, "queue-renewal"));

    /**
     * Creates a processor. Close it after its last message.
     *
     * @param poison the poison queue; empty if the queue itself is one: its failed messages stay in the queue
     */
    QueueProcessor(
            Function function,
            HostSettings.Queues settings,
            Duration lock,
            QueueClient queue,
            Optional<QueueClient> poison) {
        this.function = function;
        this.settings = settings;
        this.lock = lock;
        this.queue = queue;
        this.poison = poison;
    }

    static boolean isNotFound(RuntimeException e) {
        return e instanceof QueueStorageException answer && answer.getStatusCode() == NOT_FOUND;
    }

    /**
     * Processes the message and blocks until this is done. Logs every failure; the message is then delivered again when
     * its lock ends.
     */
    void process(QueueMessageItem item) {
        Lease lease = new Lease(item);
        try {
            if (item.getDequeueCount() > settings.maxDequeueCount()) {
                toPoison(item, lease);
            } else {
                call(item, lease);
            }
        } catch (RuntimeException e) {
            // The storage client throws unrelated types.
            LOG.warning("Cannot finish message " + item.getMessageId() + " of '" + queue.getQueueName() + "': "
                    + e.getMessage());
        } finally {
            lease.end();
        }
    }

    @Override
    public void close() {
        renewals.shutdown();
    }

    private void call(QueueMessageItem item, Lease lease) {
        byte[] content;
        try {
            content = settings.base64()
                    ? Base64.getDecoder().decode(rawText(item))
                    : rawText(item).getBytes(UTF_8);
        } catch (IllegalArgumentException notBase64) {
            LOG.warning("Message decoding has failed! Check messageEncoding in host.json: it is base64, and message "
                    + item.getMessageId() + " of '" + queue.getQueueName() + "' is not.");
            toPoison(item, lease);
            return;
        }
        try {
            function.invoke(message(
                    item, UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString()));
            delete(item, lease);
        } catch (Function.Failed e) {
            log(e);
            failed(item, lease);
        } catch (CharacterCodingException e) {
            LOG.warning("Message " + item.getMessageId() + " of '" + queue.getQueueName() + "' is not UTF-8.");
            failed(item, lease);
        }
    }

    /**
     * Logs the failure. An exception without a stack is a warning only, because functions use it to request another
     * delivery.
     */
    private static void log(Function.Failed failure) {
        if (failure.getCause().getStackTrace().length == 0) {
            LOG.warning(failure.getMessage());
        } else {
            LOG.log(Level.SEVERE, failure.getMessage(), failure.getCause());
        }
    }

    private void failed(QueueMessageItem item, Lease lease) {
        if (item.getDequeueCount() >= settings.maxDequeueCount()) {
            toPoison(item, lease);
        } else {
            queue.updateMessage(item.getMessageId(), lease.end(), null, settings.visibilityTimeout());
        }
    }

    /** Copies the message to the poison queue, creating the queue if it is missing, then deletes the original. */
    private void toPoison(QueueMessageItem item, Lease lease) {
        if (poison.isPresent()) {
            LOG.warning(
                    "Message " + item.getMessageId() + " of '" + queue.getQueueName() + "' goes to the poison queue.");
            sendTo(poison.get(), rawText(item));
            delete(item, lease);
        }
    }

    private static void sendTo(QueueClient queue, String text) {
        try {
            queue.sendMessage(text);
        } catch (QueueStorageException e) {
            if (!isNotFound(e)) {
                throw e;
            }
            queue.createIfNotExists();
            queue.sendMessage(text);
        }
    }

    /**
     * Deletes the message. If its receipt is stale, another process received the message meanwhile and will delete it.
     */
    private void delete(QueueMessageItem item, Lease lease) {
        try {
            queue.deleteMessage(item.getMessageId(), lease.end());
        } catch (QueueStorageException e) {
            if (!isNotFound(e)) {
                throw e;
            }
        }
    }

    private static Message message(QueueMessageItem item, String text) {
        return Message.received(
                text,
                item.getMessageId(),
                item.getDequeueCount(),
                item.getInsertionTime(),
                item.getExpirationTime(),
                item.getTimeNextVisible(),
                item.getPopReceipt());
    }

    private static String rawText(QueueMessageItem item) {
        return item.getBody() == null ? "" : item.getBody().toString();
    }

    /** Keeps one message invisible while it is processed. Each renewal returns a new pop receipt. */
    private final class Lease {
        private final QueueMessageItem item;
        private final ScheduledFuture<?> renewal;
        private String popReceipt;

        Lease(QueueMessageItem item) {
            this.item = item;
            popReceipt = item.getPopReceipt();
            long everyMillis = lock.toMillis() / 2;
            renewal = renewals.scheduleAtFixedRate(this::renew, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
        }

        /** Ends the renewals and returns the current pop receipt. */
        synchronized String end() {
            renewal.cancel(false);
            return popReceipt;
        }

        private synchronized void renew() {
            try {
                if (!renewal.isCancelled()) {
                    popReceipt = queue.updateMessage(item.getMessageId(), popReceipt, null, lock)
                            .getPopReceipt();
                }
            } catch (RuntimeException e) {
                // The storage client throws unrelated types. The next renewal tries again; if all fail, the message is
                // delivered again.
                LOG.warning("Cannot renew the lock of message " + item.getMessageId() + ": " + e.getMessage());
            }
        }
    }
}
