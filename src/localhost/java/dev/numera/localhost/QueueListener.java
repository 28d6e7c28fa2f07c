package dev.numera.localhost;

import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * Polls one queue for a function. Fetches a batch whenever at most {@code newBatchThreshold} messages are in progress,
 * and processes each message in its own thread. So at most {@code batchSize + newBatchThreshold} run at once.
 * Thread-safe.
 */
final class QueueListener implements AutoCloseable {
    private static final Duration MIN_POLLING_INTERVAL = Duration.ofMillis(100);
    private static final String POISON = "-poison";
    private static final int STORAGE_TRIES = 3;
    private static final int STORAGE_TRY_SECONDS = 30;
    private static final long STORAGE_RETRY_MILLIS = 200;
    private static final Logger LOG = Logger.getLogger("Host.Queue");

    private final HostSettings.Queues settings;
    private final Duration lock;
    private final QueueClient queue;
    private final QueueProcessor processor;
    private final ExecutorService workers =
            Executors.newCachedThreadPool(task -> new DaemonThread(task, "queue-worker"));
    private int underWay;
    private boolean stopped;

    private QueueListener(HostSettings.Queues settings, Duration lock, QueueClient queue, QueueProcessor processor) {
        this.settings = settings;
        this.lock = lock;
        this.queue = queue;
        this.processor = processor;
    }

    /**
     * Starts to listen.
     *
     * @param lock how long a fetched message stays invisible unless its lock is renewed
     * @throws StartRefused a setting that the function's binding names is missing or wrong
     */
    static QueueListener start(
            Function function, HostSettings.Queues settings, AppSettings appSettings, Duration lock) {
        JsonObject trigger = function.trigger();
        String connection =
                trigger.has("connection") ? trigger.get("connection").getAsString() : "";
        String connectionString = appSettings.connectionString(connection);
        String name =
                appSettings.resolve(trigger.get("queueName").getAsString()).toLowerCase(Locale.ROOT);
        try {
            QueueClient queue = client(connectionString, name);
            Optional<QueueClient> poison =
                    name.endsWith(POISON) ? Optional.empty() : Optional.of(client(connectionString, name + POISON));
            QueueProcessor processor = new QueueProcessor(function, settings, lock, queue, poison);
            QueueListener listener = new QueueListener(settings, lock, queue, processor);
            new DaemonThread(listener::poll, "queue-" + name).start();
            return listener;
        } catch (IllegalArgumentException e) {
            throw new StartRefused(
                    "The connection '" + connection + "' of the function '" + function.name()
                            + "' is not a storage connection string (" + e.getMessage() + ").",
                    e);
        }
    }

    /**
     * Returns how long to wait after a poll that found no message.
     *
     * @param emptyBefore how many polls directly before this one found no message either
     * @param random a number from 0 to 1, which varies the delay by up to 20 % in either direction
     */
    static Duration pollingDelay(int emptyBefore, double random, Duration max) {
        double minMillis = MIN_POLLING_INTERVAL.toMillis();
        double millis = emptyBefore == 0
                ? minMillis
                : minMillis + (0.8 + 0.4 * random) * Math.pow(2, emptyBefore - 1) * minMillis;
        return millis < max.toMillis() ? Duration.ofMillis((long) millis) : max;
    }

    /** Stops fetching, and waits up to {@value LocalHost#STOP_TIMEOUT_MILLIS} ms for messages in progress. */
    @Override
    public synchronized void close() {
        stopped = true;
        notifyAll();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LocalHost.STOP_TIMEOUT_MILLIS);
        while (underWay > 0 && deadline - System.nanoTime() > 0) {
            pause(Duration.ofNanos(deadline - System.nanoTime()));
        }
        workers.shutdown();
        processor.close();
    }

    private void poll() {
        int emptyPolls = 0;
        while (awaitRoom()) {
            List<QueueMessageItem> messages = receive(emptyPolls);
            if (messages.isEmpty()) {
                double random = ThreadLocalRandom.current().nextDouble();
                pauseUnlessStopped(pollingDelay(emptyPolls, random, settings.maxPollingInterval()));
                emptyPolls++;
            } else {
                emptyPolls = 0;
                messages.forEach(this::begin);
            }
        }
    }

    /** Waits until another batch may be fetched. Returns false when the listener has stopped. */
    private synchronized boolean awaitRoom() {
        while (!stopped && underWay > settings.newBatchThreshold()) {
            pause(lock);
        }
        return !stopped;
    }

    private synchronized void pauseUnlessStopped(Duration time) {
        if (!stopped) {
            pause(time);
        }
    }

    /** Releases the monitor for this time, or until a change is notified. */
    private synchronized void pause(Duration time) {
        try {
            wait(Math.max(1, time.toMillis()));
        } catch (InterruptedException e) {
            stopped = true;
            Thread.currentThread().interrupt();
        }
    }

    /** Fetches a batch. A missing or unreachable queue counts as an empty one, so polling continues. */
    private List<QueueMessageItem> receive(int emptyPolls) {
        try {
            return queue.receiveMessages(settings.batchSize(), lock, null, null).stream()
                    .toList();
        } catch (RuntimeException e) {
            // The client throws unrelated types. None of them may end the polling.
            if (emptyPolls == 0 && !QueueProcessor.isNotFound(e)) {
                LOG.warning(
                        "Cannot read the queue '" + queue.getQueueName() + "'; polling continues: " + e.getMessage());
            }
            return List.of();
        }
    }

    private void begin(QueueMessageItem item) {
        synchronized (this) {
            underWay++;
        }
        workers.execute(() -> {
            try {
                processor.process(item);
            } finally {
                end();
            }
        });
    }

    private synchronized void end() {
        underWay--;
        notifyAll();
    }

    private static QueueClient client(String connectionString, String name) {
        RequestRetryOptions retries = new RequestRetryOptions(
                RetryPolicyType.FIXED,
                STORAGE_TRIES,
                STORAGE_TRY_SECONDS,
                STORAGE_RETRY_MILLIS,
                STORAGE_RETRY_MILLIS,
                null);
        return new QueueClientBuilder()
                .connectionString(connectionString)
                .queueName(name)
                .retryOptions(retries)
                .buildClient();
    }
}
