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
 * @param id empty if the sequence is never reset
 * @param following the next requested period; null if this is the last one
 */
record LedgerPeriod(String id, Result<CounterState> counter, @Nullable String following) {
    /**
     * Returns the first requested period that has a counter; empty if none has one.
     *
     * @param counters by period: the first two that the page may read
     * @param last the last requested period; null for no bound
     */
    static Optional<LedgerPeriod> first(NavigableMap<String, Result<CounterState>> counters, @Nullable String last) {
        NavigableMap<String, Result<CounterState>> requested = last == null ? counters : counters.headMap(last, true);
        Map.Entry<String, Result<CounterState>> first = requested.firstEntry();
        return first == null
                ? Optional.empty()
                : Optional.of(new LedgerPeriod(first.getKey(), first.getValue(), requested.higherKey(first.getKey())));
    }
}
