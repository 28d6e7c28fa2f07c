package dev.numera.core.counter;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.retry.WriteResult;

/**
 * Receives the events of one counter. Leaders call it between two storage requests: an implementation must be quick,
 * thread-safe, and must not throw.
 */
public interface CounterEvents {
    /** A call's turn has come. */
    void waited(long nanos);

    /** A write was sent for this many calls, which may include peer requests. */
    void attempted(WriteResult result, int calls, long nanos);

    /** A write for this many calls was not sent because storage could not be used. */
    void failed(int calls, long nanos);

    /** A peer request was answered, or closed. */
    void peerRequestEnded(boolean wasAnswered);

    /** A write with an unknown outcome was found to have won. */
    void foundWon();

    /** The counter was written and now has this state. */
    void reached(Sequence definition, CounterState state);
}
