package dev.numera.bench.harness;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.numera.bench.strategy.BackoffChoice;
import dev.numera.bench.strategy.Catalogue;

/** An order of the coordinator to a worker process, sent as one line of JSON. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
    @JsonSubTypes.Type(Order.Open.class),
    @JsonSubTypes.Type(Order.Run.class),
    @JsonSubTypes.Type(Order.Close.class)
})
sealed interface Order {
    /**
     * Prepares the next runs.
     *
     * @param process the index of this process in the load, from 0; process 0 also creates the shared rows
     * @param graphs how many instances of the strategy to create
     * @param numbersWanted how many numbers to prepare, for a strategy that fills a store beforehand
     */
    record Open(Catalogue strategy, BackoffChoice backoff, String sequence, int process, int graphs, int numbersWanted)
            implements Order {}

    /**
     * Starts the callers.
     *
     * @param callers the callers of each instance
     * @param pauseMillis their mean pause between two calls
     * @param maxCalls the most calls of all callers of this process together
     * @param historyFile the file for the record of every call; null for none
     */
    record Run(int callers, long pauseMillis, long millis, int maxCalls, String historyFile) implements Order {}

    /** Closes the strategies of the last {@link Open}. */
    record Close() implements Order {}
}
