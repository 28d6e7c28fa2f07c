package dev.numera.bench.strategy;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueMessageItem;
import dev.numera.bench.harness.Window;
import java.util.stream.IntStream;

/** A queue that was filled with numbers beforehand. Each caller takes a message and deletes it. */
final class QueueOfNumbers implements Strategy {
    private final QueueClient queue;

    QueueOfNumbers(QueueClient queue) {
        this.queue = queue;
    }

    @Override
    public void prepare(int numbersWanted) {
        queue.create();
        // Sends in parallel, because sending one by one would take longer than the measurement.
        IntStream.rangeClosed(1, numbersWanted).parallel().forEach(number -> queue.sendMessage("" + number));
    }

    @Override
    public long next(Window window) {
        QueueMessageItem message = queue.receiveMessage();
        if (message == null) {
            throw new IllegalStateException("The queue is empty: fill it with numbers in time.");
        }
        queue.deleteMessage(message.getMessageId(), message.getPopReceipt());
        return Long.parseLong(message.getBody().toString());
    }

    @Override
    public void close() {
        queue.deleteIfExists();
    }
}
