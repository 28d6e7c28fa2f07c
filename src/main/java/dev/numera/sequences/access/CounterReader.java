package dev.numera.sequences.access;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Reads the counters of a sequence. Refuses with {@code rolled-back} if the definition proves that a counter was lost.
 * Thread-safe; calls block for storage requests.
 */
public final class CounterReader {
    private final CounterStore store;
    private final DefinitionStore definitions;

    public CounterReader(CounterStore store, DefinitionStore definitions) {
        this.store = store;
        this.definitions = definitions;
    }

    /**
     * Reads the current state of a counter; empty before its first number or advance.
     *
     * @throws ProblemException {@code rolled-back} if the counter was lost
     */
    public Optional<Versioned<CounterState>> read(Sequence known, CounterId id) {
        Optional<Versioned<CounterState>> counter = store.read(id);
        if (counter.isEmpty() && known.isInUse() && known.fixed().isNeverReset()) {
            throw counterIsGone(known.name());
        }
        return counter;
    }

    /**
     * Reads the counters of up to {@code limit} periods, starting with {@code firstPeriod}. A counter that cannot be
     * read is a problem in its own entry. Returns none if {@code known} was not in use: a counter that was created
     * since may belong to another definition.
     *
     * @param known the result of {@link SequenceCalls.SequenceCall#settled}
     */
    public NavigableMap<String, Result<CounterState>> from(
            SequenceCalls.SequenceCall call, Sequence known, String firstPeriod, int limit) {
        if (!known.isInUse()) {
            return Collections.emptyNavigableMap();
        }
        NavigableMap<String, Result<CounterState>> counters =
                call.retry(() -> definitions.counters(known.name(), firstPeriod, limit));
        if (counters.isEmpty() && firstPeriod.isEmpty()) {
            throw counterIsGone(known.name());
        }
        return counters;
    }

    /** Whether a period has no counter yet. Once a counter exists, it stays, so only a true answer can change. */
    public boolean isOpening(SequenceCalls.SequenceCall call, Sequence known, CounterId id) {
        return call.retry(() -> read(known, id)).isEmpty();
    }

    private static ProblemException counterIsGone(SequenceName name) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The counter of " + name + " is missing: a table was lost. Ask the operator first"
                        + " whether a recovery is running or planned. If not, advance the sequence beyond every number"
                        + " that was allocated. Until then it allocates none.");
    }
}
