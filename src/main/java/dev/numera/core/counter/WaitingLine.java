package dev.numera.core.counter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one counter, first come, first served. At any time at most one thread leads, that is, serves
 * them. A thread that joins a line without a leader becomes its leader, which may resign only when no call waits, so
 * that none is forgotten.
 *
 * <p>Thread-safe. No call blocks. What a leader did before it called here is seen by the next leader.
 *
 * <p>Decision: {@code docs/decisions/the-first-caller-writes-on-its-own-thread.md}.
 */
final class WaitingLine<C> {
    private final Deque<C> waiting = new ArrayDeque<>();
    private boolean isLed;

    /** Returns whether the newcomer has to lead; else a leader will serve it. */
    synchronized boolean join(C newcomer) {
        waiting.add(newcomer);
        boolean mustLead = !isLed;
        isLed = true;
        return mustLead;
    }

    /** Whether the caller has to lead now, with no call in line; else there is a leader already. */
    synchronized boolean lead() {
        boolean mustLead = !isLed;
        isLed = true;
        return mustLead;
    }

    /** Takes the longest waiting one if it meets the condition, else returns null. For the leader alone. */
    synchronized @Nullable C takeIf(Predicate<C> condition) {
        C first = waiting.peek();
        if (first == null || !condition.test(first)) {
            return null;
        }
        return waiting.poll();
    }

    /** Whether it was still waiting; it waits no longer. */
    synchronized boolean leave(C waiter) {
        return waiting.remove(waiter);
    }

    /** Ends the leadership if no call waits and nothing else is left to do; else the leader must go on. */
    synchronized boolean resign(BooleanSupplier isAnythingLeft) {
        isLed = !waiting.isEmpty() || isAnythingLeft.getAsBoolean();
        return !isLed;
    }

    /** Ends the leadership of a thread that cannot go on: the next one that joins leads for the calls that wait. */
    synchronized void abandon() {
        isLed = false;
    }
}
