package dev.numera.core.counter;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.retry.WriteResult;

/**
 * Receives the events of one counter. Leaders call it between two storage requests: an implementation must be quick,
 * thread-safe, and must not throw.
 */
public interface CounterEvents {
    /** A call reached the front of the line after this wait. */
    void waited(long nanos);

    /** A write was sent for this number of calls, including calls of peers. */
    void attempted(WriteResult result, int calls, long nanos);

    /** A write for this number of calls could not be sent, because storage was unavailable. */
    void failed(int calls, long nanos);

    /** A peer request was answered, or closed. */
    void peerRequestEnded(boolean wasAnswered);

    /** Called when reads have shown that a write without a trustworthy answer has won. */
    void foundWon();

    /** A write of the counter has won and left this state. */
    void reached(Sequence definition, CounterState state);
}
