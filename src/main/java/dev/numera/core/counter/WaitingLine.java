package dev.numera.core.counter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one counter, first come, first served. At any time at most one thread leads, that is, serves
 * the calls. A thread that joins a line without a leader becomes its leader. The leader may resign only when no call
 * waits, so that none is forgotten.
 *
 * <p>Thread-safe. No method blocks. The next leader sees everything that the previous one did before its last call of
 * this line.
 *
 * <p>Decision: {@code docs/decisions/the-first-caller-writes-on-its-own-thread.md}.
 */
final class WaitingLine<C> {
    private final Deque<C> waiting = new ArrayDeque<>();
    private boolean isLed;

    /** Adds a call; returns whether its thread must lead. Otherwise the present leader will serve the call. */
    synchronized boolean join(C newcomer) {
        waiting.add(newcomer);
        boolean mustLead = !isLed;
        isLed = true;
        return mustLead;
    }

    /** Makes the calling thread the leader without adding a call; returns false if another thread leads already. */
    synchronized boolean lead() {
        boolean mustLead = !isLed;
        isLed = true;
        return mustLead;
    }

    /** Takes the longest-waiting call if it meets the condition, else returns null. Only the leader may call this. */
    synchronized @Nullable C takeIf(Predicate<C> condition) {
        C first = waiting.peek();
        if (first == null || !condition.test(first)) {
            return null;
        }
        return waiting.poll();
    }

    /** Removes a call whose caller stops waiting; returns false if a leader has taken it already. */
    synchronized boolean leave(C waiter) {
        return waiting.remove(waiter);
    }

    /** Ends the leadership if no call waits and nothing else is left to do; otherwise the leader must continue. */
    synchronized boolean resign(BooleanSupplier isAnythingLeft) {
        isLed = !waiting.isEmpty() || isAnythingLeft.getAsBoolean();
        return !isLed;
    }

    /** Ends the leadership of a thread that cannot continue. The next thread that joins leads for all waiting calls. */
    synchronized void abandon() {
        isLed = false;
    }
}
