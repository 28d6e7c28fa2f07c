package dev.numera.counter;

/**
 * What happens in counters, told to whoever watches. Called by leaders between two storage requests: an implementation must be quick,
 * thread-safe, and must not throw.
 */
public interface CounterEvents {
    CounterEvents NONE = new CounterEvents() {
        @Override
        public void waited(CounterId id, long nanos) {}

        @Override
        public void attempted(CounterId id, Result result, int calls, long nanos) {}

        @Override
        public void foundWon(CounterId id) {}

        @Override
        public void reached(CounterId id, Series series, CounterState state) {}
    };

    /** How an attempt ended. */
    enum Result {
        WON,
        LOST,
        /** Sent, but not answered in a way that can be trusted. */
        UNKNOWN,
        /** Storage could not be used. */
        FAILED,
        /** A key stood in the ledger already. */
        CLASHED
    }

    /** A call's turn has come. */
    void waited(CounterId id, long nanos);

    /** An attempt to write for a group of calls has ended. */
    void attempted(CounterId id, Result result, int calls, long nanos);

    /** A write that was not known to be won was found to be. */
    void foundWon(CounterId id);

    /** The counter was written and stands here now. */
    void reached(CounterId id, Series series, CounterState state);
}
