package dev.numera.sequence;

import dev.numera.counter.Waiters;
import dev.numera.model.CounterState;
import dev.numera.model.KnownDefinition;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The periods of a sequence that have a counter. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException}.
 */
public final class Periods {
    /** @param nextPeriod where the next page begins; null on the last page */
    public record Page(List<SequenceState> states, @Nullable String nextPeriod) {}

    private final Definitions definitions;
    private final DefinitionStore store;
    private final Waiters waiters;
    private final Retries retries;

    Periods(Definitions definitions, DefinitionStore store, Waiters waiters, Retries retries) {
        this.definitions = definitions;
        this.store = store;
        this.waiters = waiters;
        this.retries = retries;
    }

    /**
     * The states of all counters, in the order of their periods: also of a period that nobody meant to open. One
     * without a period where the sequence is never reset, none before the first number.
     *
     * @param firstPeriod where the page begins; empty for the first one
     * @param limit 1 to 1,000
     * @throws ProblemException {@code unknown-sequence}; {@code rolled-back} where the counters were lost;
     *     {@code not-for-guarantee} where there are none
     */
    public Page list(SequenceName name, String firstPeriod, int limit) {
        return waiters.count(name, () -> {
            KnownDefinition known = definition(name);
            known.requireCounted();
            NavigableMap<String, CounterState> counters = counters(known, firstPeriod, limit + 1);
            String next = counters.size() > limit ? counters.lastKey() : null;
            return new Page(
                    (next == null ? counters : counters.headMap(next))
                            .entrySet().stream()
                                    .map(counter -> state(known, counter))
                                    .toList(),
                    next);
        });
    }

    private static SequenceState state(KnownDefinition known, Map.Entry<String, CounterState> counter) {
        return SequenceState.of(known, counter.getKey(), Optional.of(counter.getValue()), null);
    }

    /**
     * The definition, read anew unless it is known to be in use: only from then on its fixed fields are those by which
     * all numbers were given.
     */
    KnownDefinition definition(SequenceName name) {
        KnownDefinition kept = retries.call(() -> definitions.get(name));
        return kept.isInUse() ? kept : retries.call(() -> definitions.reload(name));
    }

    /**
     * The counters of the first periods from one on. None where the definition was not in use: one that was made since
     * may be of another definition.
     */
    NavigableMap<String, CounterState> counters(KnownDefinition known, String firstPeriod, int limit) {
        if (!known.isInUse()) {
            return Collections.emptyNavigableMap();
        }
        NavigableMap<String, CounterState> counters =
                retries.call(() -> store.counters(known.name(), firstPeriod, limit));
        if (counters.isEmpty() && firstPeriod.isEmpty()) {
            throw States.counterIsGone(known.name());
        }
        return counters;
    }
}
