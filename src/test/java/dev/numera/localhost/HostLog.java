package dev.numera.localhost;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What the host and its functions log while this is open: the loggers of a JVM are one set, whatever class loader
 * requests for them.
 */
final class HostLog extends Handler implements AutoCloseable {
    private static final Logger ROOT = Logger.getLogger("");
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();
    private final AtomicLong errors = new AtomicLong();

    HostLog() {
        ROOT.addHandler(this);
    }

    boolean contains(String text) {
        return count(text) > 0;
    }

    long count(String text) {
        return messages.stream().filter(message -> message.contains(text)).count();
    }

    /** How many errors with a stack were logged. */
    long errors() {
        return errors.get();
    }

    @Override
    public void publish(LogRecord record) {
        messages.add(String.valueOf(record.getMessage()));
        if (record.getLevel() == Level.SEVERE && record.getThrown() != null) {
            errors.incrementAndGet();
        }
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        ROOT.removeHandler(this);
    }

    @Override
    public String toString() {
        return String.join("\n", messages);
    }
}
