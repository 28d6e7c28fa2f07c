package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import org.jspecify.annotations.Nullable;

/**
 * How far this process has seen a counter, by which it notices that an old table was put back. Such a counter is
 * refused until someone moves it on: only then it has an epoch of its own. Belongs to the leader of the line.
 */
final class Seen {
    private final CounterId id;
    private final FixedFields fixed;
    private @Nullable CounterState last;
    private @Nullable Long epochBehindLedger;

    Seen(CounterId id, FixedFields fixed) {
        this.id = id;
        this.fixed = fixed;
    }

    @Nullable
    CounterState last() {
        return last;
    }

    boolean isAny() {
        return last != null;
    }

    boolean isBeyond(CounterState state) {
        return last != null && state.isBehind(last, fixed);
    }

    boolean isOfAnotherEpoch(CounterState read) {
        return last == null || last.epoch() != read.epoch();
    }

    /** Whether a state is older than one that was seen before it. */
    boolean isBehind(CounterState state, CounterState before) {
        return state.isBehind(before, fixed);
    }

    void wrote(CounterState state) {
        last = state;
    }

    /** From another instance, which may have written it before what was read here since. */
    void heard(CounterState state) {
        if (last == null || !state.isBehind(last, fixed)) {
            last = state;
        }
    }

    /**
     * Remembers what was read, unless it is behind.
     *
     * @throws ProblemException {@code rolled-back}, if it is read for an allocation
     */
    void compare(CounterState read, boolean isForAllocation) {
        if (last != null && read.isBehind(last, fixed)) {
            if (isForAllocation) {
                throw rolledBack("stands at " + read.next() + ", but " + last.next() + " was reached before");
            }
            return;
        }
        if (isForAllocation && epochBehindLedger != null && epochBehindLedger == read.epoch()) {
            throw behindLedger(read);
        }
        last = read;
    }

    /** For all of this epoch: a number that it would give stands in the ledger. */
    ProblemException behindLedger(CounterState state) {
        epochBehindLedger = state.epoch();
        return rolledBack("is behind its ledger");
    }

    ProblemException rolledBack(String how) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The counter of " + id + " " + how
                        + ": an old table seems to have been restored. Advance the sequence beyond every number"
                        + " that was handed out; until then it gives none.");
    }
}
