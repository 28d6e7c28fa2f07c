package dev.numera.localhost;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the log of the host and its functions until closed. All class loaders of a JVM share the same loggers. */
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

    /** Returns how many errors with a stack trace were logged. */
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
        // Records are stored at once, so nothing is left to flush.
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
