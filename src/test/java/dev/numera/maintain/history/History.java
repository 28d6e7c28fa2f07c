package dev.numera.maintain.history;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records the calls of all callers with their times. All callers must run in one JVM, even if they call several
 * processes, because {@link System#nanoTime} is comparable only within a JVM. Thread-safe.
 */
public final class History {
    private final Queue<ObservedCall> calls = new ConcurrentLinkedQueue<>();

    /** A call that is about to be sent. */
    public interface Sending<E extends Exception> {
        ObservedOutcome send() throws E;
    }

    /**
     * Sends the request and records it. A request that throws is recorded as
     * {@link ObservedOutcome.NoNumbers#NO_ANSWER}.
     */
    public <E extends Exception> ObservedOutcome call(
            String process, String caller, String key, int count, Sending<E> request) throws E {
        long startNanos = System.nanoTime();
        ObservedOutcome outcome = new ObservedOutcome.NoNumbers(ObservedOutcome.NoNumbers.NO_ANSWER);
        try {
            outcome = request.send();
            return outcome;
        } finally {
            calls.add(new ObservedCall(process, caller, startNanos, System.nanoTime(), key, count, outcome));
        }
    }

    /** Returns the calls that have ended so far. */
    public List<ObservedCall> calls() {
        return List.copyOf(calls);
    }
}
