package dev.numera.core.counter;

import dev.numera.core.retry.Clock;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/**
 * The storage, the clock and the threads that a counter works with.
 *
 * @param peers the rows through which the counter and its peers request numbers from one another
 * @param random returns numbers from 0 to 1
 * @param leaders runs leading threads and the look for peer requests
 * @param counterName the counter's name in its peer requests. No other counter may have it, in this process or another
 * @param highWaterMarks one instance for the whole process
 */
public record CounterEnvironment(
        CounterStore store,
        PeerRequests peers,
        Clock time,
        DoubleSupplier random,
        Executor leaders,
        String counterName,
        HighWaterMarks highWaterMarks) {
    /**
     * Returns the same environment for one of the counters of a process.
     *
     * @param ordinal a different number for each counter
     */
    public CounterEnvironment ofCounter(long ordinal) {
        return new CounterEnvironment(store, peers, time, random, leaders, counterName + "-" + ordinal, highWaterMarks);
    }
}
