package dev.numera.core.counter;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.retry.WriteResult;

/**
 * Receives what happens in one counter. Called by leaders between two storage requests: an implementation must be
 * quick, thread-safe, and must not throw.
 */
public interface CounterEvents {
    /** A call's turn has come. */
    void waited(long nanos);

    /** A write for so many calls was sent, of which some may be peers'. */
    void attempted(WriteResult result, int calls, long nanos);

    /** A write for so many calls was to be sent, but storage could not be used. */
    void failed(int calls, long nanos);

    /** A peer request was answered, or closed. */
    void peerRequestEnded(boolean wasAnswered);

    /** A write that was not known to be won was found to be. */
    void foundWon();

    /** The counter was written, and this is its state now. */
    void reached(Sequence definition, CounterState state);
}
