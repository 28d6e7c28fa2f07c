package dev.numera.bench.harness;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.numera.bench.strategy.BackoffChoice;
import dev.numera.bench.strategy.Catalogue;

/** What the coordinator orders a worker process to do: one line of JSON each. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(Order.Open.class),
    @JsonSubTypes.Type(Order.Run.class),
    @JsonSubTypes.Type(Order.Close.class)
})
sealed interface Order {
    /**
     * Makes ready what the next runs use.
     *
     * @param process which of the load's processes this is, from 0; the first one also creates what all share
     * @param graphs how many instances of the strategy to make
     * @param numbersWanted how many numbers to have in store, where a strategy fills something beforehand
     */
    record Open(Catalogue strategy, BackoffChoice backoff, String sequence, int process, int graphs, int numbersWanted)
            implements Order {}

    /**
     * Lets the callers call.
     *
     * @param callers of each instance
     * @param pauseMillis their mean pause between two calls
     * @param maxCalls of all callers of this process together
     * @param historyFile where to write every call, or null for none
     */
    record Run(int callers, long pauseMillis, long millis, int maxCalls, String historyFile) implements Order {}

    /** Lets go of what was made ready. */
    record Close() implements Order {}
}
