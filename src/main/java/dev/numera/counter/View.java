package dev.numera.counter;

import dev.numera.execution.Clock;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.FixedFields;
import dev.numera.model.Sequence;
import dev.numera.model.Versioned;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The counter as this process knows it: the state and version of its last write, how far it has seen the counter, and
 * the terms. Belongs to the leader of the line.
 */
final class View {
    /** Ends an attempt: the terms are no longer those that this counter was made for, and nothing was consumed. */
    static final class OutdatedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutdatedException() {
            super("The definition was changed.", null, false, false);
        }
    }

    private final FixedFields fixed;
    private final Counter.Source terms;
    private final Clock time;
    private final PeerWatcher peers;
    private final HighWaterMark observed;
    private @Nullable Versioned<CounterState> kept;

    View(CounterId id, FixedFields fixed, Counter.Source terms, Counter.Surroundings surroundings, PeerWatcher peers) {
        this.fixed = fixed;
        this.terms = terms;
        this.time = surroundings.time();
        this.peers = peers;
        this.observed = new HighWaterMark(id, fixed, surroundings.observations());
    }

    HighWaterMark observed() {
        return observed;
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
        observed.heard(after);
        kept = present;
    }

    Sequence current() {
        return agreed(terms.current());
    }

    Sequence reloaded() {
        return agreed(terms.reloaded());
    }

    Sequence markable() {
        return agreed(terms.markable());
    }

    void marked(Sequence written) {
        terms.marked(written);
    }

    private Sequence agreed(Sequence present) {
        if (!present.fixed().equals(fixed)) {
            throw new OutdatedException();
        }
        return present;
    }

    /**
     * Whether this was found out after the counter was looked for: the definition came into use. Only another look
     * shows whether it was opened meanwhile, or is gone.
     */
    boolean isOpenedAlready(Plan plan) {
        return plan.base().isAbsent() && plan.terms().isInUse() && fixed.isNeverReset();
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
        if (observed.isOfAnotherEpoch(read.get().value())) {
            // What was advanced or imported may be of a newer definition.
            reloaded();
        }
        observed.compare(read.get().value(), isForAllocation);
        return read.get();
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
        boolean wasThere = observed.isAny() || known.isInUse() && fixed.isNeverReset();
        if (!wasThere && (known.isInUse() || !observed.isAnyOfSequence())) {
            return;
        }
        Sequence present = reloaded();
        boolean isGone = wasThere
                ? present.isInUse() || observed.isBeyond(first)
                : !present.isInUse() && observed.isBeyond(first);
        if (isGone) {
            throw observed.gone();
        }
    }
}
