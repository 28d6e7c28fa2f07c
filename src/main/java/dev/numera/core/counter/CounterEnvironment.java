package dev.numera.core.counter;

import dev.numera.core.retry.Clock;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/**
 * Where a counter lives.
 *
 * @param peers the rows in which it and its peers request numbers from one another
 * @param random from 0 to 1
 * @param leaders threads to lead on, and to look for peer requests
 * @param process by which it requests numbers from its peers: a name that no other counter has, in this process or
 *     another
 * @param highWaterMarks one for the whole process
 */
public record CounterEnvironment(
        CounterStore store,
        PeerRequests peers,
        Clock time,
        DoubleSupplier random,
        Executor leaders,
        String process,
        HighWaterMarks highWaterMarks) {
    /**
     * The same for one of the counters of a process.
     *
     * @param ordinal another one for each
     */
    public CounterEnvironment ofCounter(long ordinal) {
        return new CounterEnvironment(store, peers, time, random, leaders, process + "-" + ordinal, highWaterMarks);
    }
}
