package dev.numera.sequence;

import dev.numera.counter.CounterStore;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Reads the counters of a sequence, and refuses with {@code rolled-back} where its definition shows that a counter was
 * lost. Thread-safe; calls block for storage requests.
 */
final class CounterReader {
    private final CounterStore store;
    private final DefinitionStore definitions;

    CounterReader(CounterStore store, DefinitionStore definitions) {
        this.store = store;
        this.definitions = definitions;
    }

    /**
     * The present state of a counter; empty before its first number.
     *
     * @throws ProblemException {@code rolled-back} where it is gone
     */
    Optional<Versioned<CounterState>> read(Sequence known, CounterId id) {
        Optional<Versioned<CounterState>> counter = store.read(id);
        if (counter.isEmpty() && known.isInUse() && known.fixed().isNeverReset()) {
            throw counterIsGone(known.name());
        }
        return counter;
    }

    /**
     * The counters of the first periods from one on; one that cannot be read is a problem, the others stay good. None
     * where the definition was not in use: a counter that was made since may be of another definition.
     *
     * @param known {@link SequenceAccess.Visit#settled}
     */
    NavigableMap<String, Answer<CounterState>> from(
            SequenceAccess.Visit visit, Sequence known, String firstPeriod, int limit) {
        if (!known.isInUse()) {
            return Collections.emptyNavigableMap();
        }
        NavigableMap<String, Answer<CounterState>> counters =
                visit.retry(() -> definitions.counters(known.name(), firstPeriod, limit));
        if (counters.isEmpty() && firstPeriod.isEmpty()) {
            throw counterIsGone(known.name());
        }
        return counters;
    }

    /** Whether a period has no counter yet; a counter that exists stays. */
    boolean isOpening(SequenceAccess.Visit visit, Sequence known, CounterId id) {
        return visit.retry(() -> read(known, id)).isEmpty();
    }

    private static ProblemException counterIsGone(SequenceName name) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The counter of " + name + " is gone: a table was lost. Restore it, or"
                        + " advance the sequence beyond every number that was allocated; until then it allocates none.");
    }
}
