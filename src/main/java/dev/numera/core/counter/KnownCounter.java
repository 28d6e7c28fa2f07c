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
 * The counter as this process knows it: the state and version of its last write, how far it has observed the counter,
 * and the terms. By the second it notices that an old table was restored: such a counter is refused until someone
 * advances it, and so gives it an epoch of its own.
 *
 * <p>Belongs to the leader of the line, but for {@link #farthest} and {@link #gone}.
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

    /** The farthest state that this process has observed; null where there is none. Thread-safe. */
    @Nullable
    CounterState farthest() {
        return highWaterMarks.farthest(id).orElse(null);
    }

    /** A state from a write of another instance, which may be from before what was read here since. */
    void reported(CounterState state) {
        highWaterMarks.reported(id, state, fixed);
    }

    boolean isOfAnotherEpoch(CounterState read) {
        CounterState last = farthest();
        return last == null || last.epoch() != read.epoch();
    }

    /** Whether a state is older than one that was observed before it. */
    boolean isBehind(CounterState state, CounterState before) {
        return state.isBehind(before, fixed);
    }

    /** The counter is gone, though it was observed, or its definition is in use. Thread-safe. */
    ProblemException gone() {
        highWaterMarks.gone(id);
        return rolledBack("is gone");
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

    /** The state that this process wrote last, as far as it knows; null where it has to read. */
    @Nullable
    Versioned<CounterState> kept() {
        return kept;
    }

    void keep(@Nullable Versioned<CounterState> state) {
        kept = state;
    }

    /** Lets the next attempt read. */
    void forget() {
        kept = null;
        peers.dropFound();
    }

    /**
     * After a write for numbers was won.
     *
     * @param present the counter after that write, or after later ones; null where it is to be read
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
     * Whether this was found out after the counter was looked for: the definition came into use. Only another look
     * shows whether it was opened meanwhile, or is gone.
     */
    boolean isOpenedAlready(Plan plan) {
        return plan.base().isAbsent() && plan.definition().isInUse() && fixed.isNeverReset();
    }

    /**
     * What was read, or the state that the counter would begin with.
     *
     * @param known read before the counter was: what follows from the two is safe in this order only
     */
    Versioned<CounterState> accept(Optional<Versioned<CounterState>> read, Sequence known, boolean isForAllocation) {
        if (read.isEmpty()) {
            return absent(known, isForAllocation);
        }
        if (isOfAnotherEpoch(read.get().value())) {
            // What was advanced or imported may be of a newer definition.
            reloaded();
        }
        compare(read.get().value(), isForAllocation);
        return read.get();
    }

    /**
     * Remembers what was read, unless it is behind.
     *
     * @throws ProblemException {@code rolled-back}, if it is read for an allocation
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
     * Where a counter of this definition was there already, only an advance may begin another one: it says from where
     * on.
     */
    private Versioned<CounterState> absent(Sequence known, boolean isForAllocation) {
        CounterState first = CounterState.first(fixed.start(), time.now());
        if (isForAllocation) {
            requireNotGone(known, first);
        }
        return new Versioned<>(first, null);
    }

    /**
     * Reads the definition again where there may have been a counter. A definition that is not in use, of a sequence
     * whose numbers were observed, replaces one that was lost; but where it came into use meanwhile, another period was
     * opened. Where this counter itself was observed, it is gone unless the owner has defined the sequence again, to
     * begin beyond what this process has observed.
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
            // After a recovery, a lost period opens beyond the margin. If the margin was too small, the counter is then
            // refused as behind what this process has observed.
            throw present.restoreMargin() > 0 && !fixed.isNeverReset() ? new DefinitionChangedException() : gone;
        }
    }

    /** Whether the sequence was observed farther on, in any period, than where it would begin now. */
    private boolean isBeyond(CounterState first) {
        return highWaterMarks.isAnyBeyond(id.sequence(), first);
    }
}
