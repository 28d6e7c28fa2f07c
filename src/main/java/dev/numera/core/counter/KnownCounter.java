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
 * The knowledge of this process about its counter: the state and version of the last write, the farthest observed
 * state, and the definition. The farthest observed state shows that an old table was restored. Such a counter is
 * refused until an operator advances it, which moves it into a new epoch.
 *
 * <p>Not thread-safe: only the leading thread calls it, except {@link #farthest}, {@link #gone} and {@link #isBehind}.
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

    /** The farthest state that this process has observed; null if it has observed none. Thread-safe. */
    @Nullable
    CounterState farthest() {
        return highWaterMarks.farthest(id).orElse(null);
    }

    /** Records a state that a write of another instance left. It may be older than a state that was read here since. */
    void reported(CounterState state) {
        highWaterMarks.reported(id, state, fixed);
    }

    boolean isOfAnotherEpoch(CounterState read) {
        CounterState last = farthest();
        return last == null || last.epoch() != read.epoch();
    }

    /** Whether a state is older than another one that was observed earlier. */
    boolean isBehind(CounterState state, CounterState before) {
        return state.isBehind(before, fixed);
    }

    /**
     * Records that the counter is gone, and returns the refusal. Call if the counter was observed earlier, or its
     * definition is in use. Thread-safe.
     */
    ProblemException gone() {
        highWaterMarks.gone(id);
        return rolledBack("is gone");
    }

    /**
     * Refuses allocations for the rest of the epoch, because the ledger contains a number that the counter would
     * allocate next.
     */
    ProblemException behindLedger(CounterState state) {
        epochBehindLedger = state.epoch();
        return rolledBack("is behind its ledger, which already contains its next number");
    }

    ProblemException rolledBack(String how) {
        return new ProblemException(
                ProblemType.ROLLED_BACK,
                "The counter of " + id + " " + how
                        + ": an old table seems to have been restored. Advance the sequence beyond every number"
                        + " that was allocated; until then it allocates none.");
    }

    /** The state that this process wrote or read last; null if the next attempt has to read the counter. */
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
     * Records that a write for numbers has won.
     *
     * @param present the counter after that write, or after later ones; null if it must be read
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
     * Whether a plan would create a counter that another instance may have created meanwhile: the definition is in use,
     * but the counter was absent when it was read. Only another read shows whether the counter was created meanwhile,
     * or is gone.
     */
    boolean isOpenedAlready(Plan plan) {
        return plan.base().isAbsent() && plan.definition().isInUse() && fixed.isNeverReset();
    }

    /**
     * Returns the counter that was read, or the state that a new counter would start with.
     *
     * @param known the definition, which must have been read before the counter. Otherwise an instance could create the
     *     counter between the two reads, and it would seem to be gone
     */
    Versioned<CounterState> accept(Optional<Versioned<CounterState>> read, Sequence known, boolean isForAllocation) {
        if (read.isEmpty()) {
            return absent(known, isForAllocation);
        }
        if (isOfAnotherEpoch(read.get().value())) {
            // An advance or an import may follow a newer definition.
            reloaded();
        }
        compare(read.get().value(), isForAllocation);
        return read.get();
    }

    /**
     * Records the state that was read, unless it is behind the observed one.
     *
     * @throws ProblemException {@code rolled-back}, if the counter was read for an allocation
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
                        ? "has the next number " + read.next() + ", but had " + before.next() + " before"
                        : "is in epoch " + read.epoch() + ", but was in epoch " + before.epoch() + " before");
    }

    /**
     * Returns the state that a new counter would start with. If this definition already had a counter, only an advance
     * may create a new one, because only the owner knows which numbers are used.
     */
    private Versioned<CounterState> absent(Sequence known, boolean isForAllocation) {
        CounterState first = CounterState.first(fixed.start(), time.now());
        if (isForAllocation) {
            requireNotGone(known, first);
        }
        return new Versioned<>(first, null);
    }

    /**
     * Refuses to create a counter that should exist. Reads the definition again before it decides. There are three
     * cases:
     *
     * <ul>
     *   <li>This counter was observed. It is gone, unless the owner has defined the sequence again with a start beyond
     *       every number that this process has observed.
     *   <li>The definition is in use and never resets, so its only counter is gone.
     *   <li>The definition is not in use, but numbers of the sequence were observed: it replaces a definition that was
     *       lost. If it has come into use by now, another period was opened, and nothing is lost.
     * </ul>
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
            // A recovery opens a lost period beyond the margin. If the margin was too small, the counter is then
            // refused, because it is behind the observed state.
            throw present.restoreMargin() > 0 && !fixed.isNeverReset() ? new DefinitionChangedException() : gone;
        }
    }

    /** Whether the sequence was observed, in any period, beyond the number at which it would start now. */
    private boolean isBeyond(CounterState first) {
        return highWaterMarks.isAnyBeyond(id.sequence(), first);
    }
}
