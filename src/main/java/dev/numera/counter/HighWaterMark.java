package dev.numera.counter;

import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.FixedFields;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import org.jspecify.annotations.Nullable;

/**
 * How far this process has observed a counter, by which it notices that an old table was restored. Such a counter is
 * refused until someone advances it: only then it has an epoch of its own. Thread-safe.
 */
final class HighWaterMark {
    private final CounterId id;
    private final FixedFields fixed;
    private final Observations observations;
    private volatile @Nullable Long epochBehindLedger;

    HighWaterMark(CounterId id, FixedFields fixed, Observations observations) {
        this.id = id;
        this.fixed = fixed;
        this.observations = observations;
    }

    @Nullable
    CounterState last() {
        return observations.farthest(id).orElse(null);
    }

    boolean isAny() {
        return observations.farthest(id).isPresent();
    }

    /** Whether a number of the sequence was observed, in any period. */
    boolean isAnyOfSequence() {
        return observations.isAny(id.sequence());
    }

    /** Whether the sequence was observed farther on, in any period, than where it would begin now. */
    boolean isBeyond(CounterState first) {
        return observations.isAnyBeyond(id.sequence(), first);
    }

    boolean isOfAnotherEpoch(CounterState read) {
        CounterState last = last();
        return last == null || last.epoch() != read.epoch();
    }

    /** Whether a state is older than one that was observed before it. */
    boolean isBehind(CounterState state, CounterState before) {
        return state.isBehind(before, fixed);
    }

    /** From a write of this process, or of another instance, which may be from before what was read here since. */
    void heard(CounterState state) {
        observations.heard(id, state, fixed);
    }

    /** The counter is gone, though it was observed, or its definition is in use. */
    ProblemException gone() {
        observations.gone(id);
        return rolledBack("is gone");
    }

    /**
     * Remembers what was read, unless it is behind.
     *
     * @throws ProblemException {@code rolled-back}, if it is read for an allocation
     */
    void compare(CounterState read, boolean isForAllocation) {
        boolean isRefused = observations.refuses(id, read, fixed);
        if (!isForAllocation) {
            return;
        }
        if (isRefused) {
            throw behindObserved(read);
        }
        Long epoch = epochBehindLedger;
        if (epoch != null && epoch == read.epoch()) {
            throw behindLedger(read);
        }
    }

    private ProblemException behindObserved(CounterState read) {
        CounterState before = observations.farthest(id).orElse(read);
        return rolledBack(
                read.isBefore(before, fixed)
                        ? "is at " + read.next() + ", but " + before.next() + " was reached before"
                        : "is in epoch " + read.epoch() + ", but was in epoch " + before.epoch() + " before");
    }

    /** For all of this epoch: a number that it would allocate is in the ledger. */
    ProblemException behindLedger(CounterState state) {
        epochBehindLedger = state.epoch();
        return rolledBack("is behind its ledger");
    }

    ProblemException rolledBack(String how) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The counter of " + id + " " + how
                        + ": an old table seems to have been restored. Advance the sequence beyond every number"
                        + " that was allocated; until then it allocates none.");
    }
}
