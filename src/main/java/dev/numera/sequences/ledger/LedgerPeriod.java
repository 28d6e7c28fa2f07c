package dev.numera.sequences.ledger;

import dev.numera.core.model.CounterState;
import dev.numera.core.problem.Result;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The period that a page reads, and the one after it.
 *
 * @param id empty where the sequence is never reset
 * @param following the next requested period; null where this is the last one
 */
record LedgerPeriod(String id, Result<CounterState> counter, @Nullable String following) {
    /**
     * Returns the first period that has a counter; empty where no requested period has one.
     *
     * @param counters by their periods: the first two of those that the page may read
     * @param last the last requested period; null where there is no such bound
     */
    static Optional<LedgerPeriod> first(NavigableMap<String, Result<CounterState>> counters, @Nullable String last) {
        NavigableMap<String, Result<CounterState>> requested = last == null ? counters : counters.headMap(last, true);
        Map.Entry<String, Result<CounterState>> first = requested.firstEntry();
        return first == null
                ? Optional.empty()
                : Optional.of(new LedgerPeriod(first.getKey(), first.getValue(), requested.higherKey(first.getKey())));
    }
}
