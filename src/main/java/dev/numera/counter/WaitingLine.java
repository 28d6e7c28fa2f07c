package dev.numera.counter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * Those who wait for one counter, first come first served, and the promise that at any time at most one thread leads, that is, serves
 * them. Whoever joins an unled line becomes its leader; a leader may resign only when nobody waits, so that nobody is forgotten.
 *
 * <p>Thread-safe. No call blocks. What a leader did before it called here is seen by the next leader.
 */
final class WaitingLine<C> {
    /** How a newcomer was received. */
    enum Joined {
        /** It waits, and has to lead. */
        AS_LEADER,
        /** It waits, and a leader will serve it. */
        AS_FOLLOWER,
        /** The line is full, or closed: it does not wait. */
        TURNED_AWAY
    }

    private final int capacity;
    private final Deque<C> waiting = new ArrayDeque<>();
    private int beingServed;
    private boolean isLed;
    private boolean isClosed;

    WaitingLine(int capacity) {
        this.capacity = capacity;
    }

    synchronized Joined join(C newcomer) {
        if (isClosed || waiting.size() + beingServed >= capacity) {
            return Joined.TURNED_AWAY;
        }
        waiting.add(newcomer);
        if (isLed) {
            return Joined.AS_FOLLOWER;
        }
        isLed = true;
        return Joined.AS_LEADER;
    }

    /** Takes the longest waiting one if it meets the condition, else returns null. For the leader alone. */
    synchronized C takeIf(Predicate<C> condition) {
        C first = waiting.peek();
        if (first == null || !condition.test(first)) {
            return null;
        }
        beingServed++;
        return waiting.poll();
    }

    /** So many of those who were taken have their answer. */
    synchronized void served(int count) {
        beingServed -= count;
    }

    /** Whether it was still waiting; it waits no longer. */
    synchronized boolean leave(C waiter) {
        return waiting.remove(waiter);
    }

    /** Ends the leadership if nobody waits; else the leader must go on. */
    synchronized boolean resign() {
        isLed = !waiting.isEmpty();
        return !isLed;
    }

    /** Ends the leadership whoever waits: the next one who joins leads for them. For when a leader cannot go on. */
    synchronized void abandon() {
        isLed = false;
        beingServed = 0;
    }

    /** Nobody can join any more; those who wait are still served. */
    synchronized void close() {
        isClosed = true;
    }
}
