package dev.numera.core.counter;

import dev.numera.core.retry.Clock;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/**
 * The storage, clock, threads and process-wide state that a counter uses.
 *
 * @param peers the rows that a counter and its peer instances use to request numbers from each other
 * @param random returns values from 0 to 1
 * @param leaders runs leading threads and the search for peer requests
 * @param process the name that identifies the counter in peer requests; no other counter has it, in this process or
 *     another
 * @param highWaterMarks shared by the whole process
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
     * Returns the same environment with a process name for one of the counters of a process.
     *
     * @param ordinal different for each counter
     */
    public CounterEnvironment ofCounter(long ordinal) {
        return new CounterEnvironment(store, peers, time, random, leaders, process + "-" + ordinal, highWaterMarks);
    }
}
