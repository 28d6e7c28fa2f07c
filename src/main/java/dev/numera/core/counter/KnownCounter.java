package dev.numera.core.counter;

import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.DefinitionChangedException;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of the counter as this process knows it: the state and version of its last write, the farthest state that
 * this process has observed, and the definition. The farthest state shows when an old table was restored. Such a
 * counter is refused until an operator advances it, which gives it a new epoch.
 *
 * <p>Not thread-safe: only the leading thread calls it, except {@link #farthest} and {@link #gone}.
 *
 * <p>Decision: {@code docs/decisions/a-counter-that-went-back-is-refused.md}.
 */
final class KnownCounter {
    private final CounterId id;
    private final FixedFields fixed;
    private final DefinitionSource source;
    private final Clock time;
    private final PeerWatcher peers;
    private final HighWaterMarks highWaterMarks;
    private @Nullable Versioned<CounterState> kept;
    private @Nullable Long epochBehindLedger;

    KnownCounter(
            CounterId id,
            FixedFields fixed,
            DefinitionSource source,
            CounterEnvironment environment,
            PeerWatcher peers) {
        this.id = id;
        this.fixed = fixed;
        this.source = source;
        this.time = environment.time();
        this.peers = peers;
        this.highWaterMarks = environment.highWaterMarks();
    }

    /** Returns the farthest state that this process has observed; null if it has observed none. Thread-safe. */
    @Nullable
    CounterState farthest() {
        return highWaterMarks.farthest(id).orElse(null);
    }

    /** Observes a state that another instance wrote, and that may be older than a state read here since. */
    void reported(CounterState state) {
        highWaterMarks.reported(id, state, fixed);
    }

    boolean isOfAnotherEpoch(CounterState read) {
        CounterState last = farthest();
        return last == null || last.epoch() != read.epoch();
    }

    /** Whether a state is behind another state that was observed before. */
    boolean isBehind(CounterState state, CounterState before) {
        return state.isBehind(before, fixed);
    }

    /**
     * Returns the refusal of a counter that no longer exists, though it was observed or its definition is in use.
     * Thread-safe.
     */
    ProblemException gone() {
        highWaterMarks.gone(id);
        return rolledBack("is gone");
    }

    /** Returns the refusal of a counter whose next numbers are in the ledger already. All of this epoch is refused. */
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

    /** Returns the state of this process's last write; null if the counter has to be read. */
    @Nullable
    Versioned<CounterState> kept() {
        return kept;
    }

    void keep(@Nullable Versioned<CounterState> state) {
        kept = state;
    }

    /** Drops the kept state, so that the next attempt reads the counter. */
    void forget() {
        kept = null;
        peers.dropFound();
    }

    /**
     * Keeps the state after a write of numbers has won.
     *
     * @param present the counter after that write, or after later ones; null if it has to be read
     */
    void wrote(CounterState after, @Nullable Versioned<CounterState> present) {
        reported(after);
        kept = present;
    }

    Sequence current() {
        return requireSameFixed(source.current());
    }

    Sequence reloaded() {
        return requireSameFixed(source.reloaded());
    }

    Sequence markable() {
        return requireSameFixed(source.markable());
    }

    void marked(Sequence written) {
        source.marked(written);
    }

    private Sequence requireSameFixed(Sequence present) {
        if (!present.fixed().equals(fixed)) {
            throw new DefinitionChangedException();
        }
        return present;
    }

    /**
     * Whether the definition has come into use since the counter was read as absent. A peer may have opened the counter
     * meanwhile, or the counter may be lost; only another read shows which.
     */
    boolean isOpenedAlready(Plan plan) {
        return plan.base().isAbsent() && plan.definition().isInUse() && fixed.isNeverReset();
    }

    /**
     * Returns the counter that was read, or the first state of a counter that does not exist yet. Observes the counter,
     * and refuses an allocation from one that was restored or lost.
     *
     * @param known the definition, read before the counter: conclusions from both are safe only in this order
     */
    Versioned<CounterState> accept(Optional<Versioned<CounterState>> read, Sequence known, boolean isForAllocation) {
        if (read.isEmpty()) {
            return absent(known, isForAllocation);
        }
        if (isOfAnotherEpoch(read.get().value())) {
            // An advance or an import may have written the counter under a newer definition.
            reloaded();
        }
        compare(read.get().value(), isForAllocation);
        return read.get();
    }

    /**
     * Observes a state that was read, unless it is behind the farthest observed state.
     *
     * @throws ProblemException {@code rolled-back} if the state is behind and was read for an allocation
     */
    private void compare(CounterState read, boolean isForAllocation) {
        boolean isRefused = !highWaterMarks.observe(id, read, fixed);
        if (!isForAllocation) {
            return;
        }
        if (isRefused) {
            throw behindObserved(read);
        }
        if (epochBehindLedger != null && epochBehindLedger == read.epoch()) {
            throw behindLedger(read);
        }
    }

    private ProblemException behindObserved(CounterState read) {
        CounterState before = Objects.requireNonNullElse(farthest(), read);
        return rolledBack(
                read.isBefore(before, fixed)
                        ? "is at " + read.next() + ", but " + before.next() + " was reached before"
                        : "is in epoch " + read.epoch() + ", but was in epoch " + before.epoch() + " before");
    }

    /**
     * Returns the first state of a counter. If this definition already had a counter, only an advance may create a new
     * one, because only the owner knows which numbers are used.
     */
    private Versioned<CounterState> absent(Sequence known, boolean isForAllocation) {
        CounterState first = CounterState.first(fixed.start(), time.now());
        if (isForAllocation) {
            requireNotGone(known, first);
        }
        return new Versioned<>(first, null);
    }

    /**
     * Refuses an allocation if the missing counter is lost. Reads the definition again if the counter may have existed.
     * If this counter was observed, it is lost, unless the owner has defined the sequence again with a start beyond
     * every observed number. If only other periods of the sequence were observed, a definition that is still not in use
     * has replaced a lost one; a definition that is in use by now shows that another period was opened meanwhile.
     */
    private void requireNotGone(Sequence known, CounterState first) {
        boolean wasThere = farthest() != null || known.isInUse() && fixed.isNeverReset();
        if (!wasThere && (known.isInUse() || !highWaterMarks.isAny(id.sequence()))) {
            return;
        }
        Sequence present = reloaded();
        boolean isGone = wasThere ? present.isInUse() || isBeyond(first) : !present.isInUse() && isBeyond(first);
        if (isGone) {
            ProblemException gone = gone();
            // A recovered sequence has a restore margin, and the exception makes the caller open the lost period
            // beyond it. If the margin is too small, the new counter is behind the observed state, so it is
            // refused as well.
            throw present.restoreMargin() > 0 && !fixed.isNeverReset() ? new DefinitionChangedException() : gone;
        }
    }

    /** Whether this process has observed any period of the sequence beyond this first state. */
    private boolean isBeyond(CounterState first) {
        return highWaterMarks.isAnyBeyond(id.sequence(), first);
    }
}
