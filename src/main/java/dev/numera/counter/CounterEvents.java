package dev.numera.counter;

import dev.numera.execution.WriteResult;
import dev.numera.model.CounterState;
import dev.numera.model.Sequence;

/**
 * What happens in one counter, told to whoever watches it. Called by leaders between two storage requests: an
 * implementation must be quick, thread-safe, and must not throw.
 */
public interface CounterEvents {
    /** A call's turn has come. */
    void waited(long nanos);

    /** A write for so many calls was sent, of which some may be other instances'. */
    void attempted(WriteResult result, int calls, long nanos);

    /** A write for so many calls was to be sent, but storage could not be used. */
    void failed(int calls, long nanos);

    /** Another instance was asked: it answered, or lost its chance when the ask was closed. */
    void asked(boolean wasAnswered);

    /** A write that was not known to be won was found to be. */
    void foundWon();

    /** The counter was written and stands here now. */
    void reached(Sequence terms, CounterState state);
}
