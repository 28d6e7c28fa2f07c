package dev.numera.core.counter;

import dev.numera.core.model.CounterState;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.Result;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A page of the counters of a sequence. Lists the counters with the mark of a restore, which an advance removes.
 * Immutable.
 *
 * @param counters how many counters the page has, including those that are not listed
 * @param restored the listed counters by their periods, in order. A counter that cannot be read is a problem in its own
 *     entry
 * @param next the first period of the next page; null on the last page
 */
public record RestoredCounters(
        int counters, NavigableMap<String, Result<Versioned<CounterState>>> restored, @Nullable String next) {
    public RestoredCounters {
        restored = Collections.unmodifiableNavigableMap(new TreeMap<>(restored));
    }
}
