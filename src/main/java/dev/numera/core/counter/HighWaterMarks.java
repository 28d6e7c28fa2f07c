package dev.numera.core.counter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.FixedFields;
import dev.numera.core.model.SequenceName;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The farthest state of each counter that this process has observed, under any definition. Outlives the cached
 * counters: by this record alone, a process notices that a table was replaced by an older one, or emptied. Takes a few
 * hundred bytes for each counter, and forgets the least used counters beyond the bound. Thread-safe; never blocks for
 * storage.
 *
 * <p>Decision: {@code docs/decisions/a-lower-epoch-means-an-older-table.md}.
 */
public final class HighWaterMarks {
    /**
     * The farthest state observed for one counter, and the epoch that is refused after a restore. Immutable.
     *
     * @param state the farthest state that was observed
     * @param fixed the fixed fields under which it was observed
     * @param refusedEpoch the highest epoch in which the counter was refused since then, 0 if the counter was gone;
     *     null if it was not refused
     */
    private record Observed(CounterState state, FixedFields fixed, @Nullable Long refusedEpoch) {
        /**
         * Whether a state that was read is older than the observed one, so that the counter was restored.
         *
         * <p>A lower epoch is refused until the counter has an epoch above the refused one. Only an advance raises it,
         * but the new epoch may still be below the observed one, because epochs come from clocks. Example: epoch 900
         * was observed, and 500 is read and refused. The operator advances on a machine whose clock lags, to epoch 800.
         * That is accepted, because 800 is above 500.
         *
         * <p>A lower next number is always refused. The next numbers of definitions that count in opposite directions
         * do not compare, so for these the epoch alone decides.
         */
        boolean refuses(CounterState read, FixedFields present) {
            boolean isAdvanced = refusedEpoch != null && read.epoch() > refusedEpoch;
            boolean isEpochLower = !isAdvanced && read.epoch() < state.epoch();
            boolean isSameDirection = fixed.increment() > 0 == present.increment() > 0;
            return isEpochLower || isSameDirection && read.isBefore(state, fixed);
        }

        Observed refusedIn(long epoch) {
            long highest = refusedEpoch == null ? epoch : Math.max(refusedEpoch, epoch);
            return new Observed(state, fixed, highest);
        }

        Observed met(CounterState read, FixedFields present) {
            return refuses(read, present) ? refusedIn(read.epoch()) : new Observed(read.asObserved(), present, null);
        }

        Observed reported(CounterState other, FixedFields present) {
            return refuses(other, present) ? this : new Observed(other.asObserved(), present, null);
        }
    }

    private final Cache<CounterId, Observed> observed;
    /**
     * The observed counters by sequence, so that the check before the first number of a period reads only counters of
     * the same sequence.
     */
    private final ConcurrentMap<SequenceName, Set<CounterId>> ofSequence = new ConcurrentHashMap<>();

    /** @param most the largest number of counters to remember */
    public HighWaterMarks(long most) {
        observed = Caffeine.newBuilder()
                .maximumSize(most)
                .executor(Runnable::run)
                .evictionListener((@Nullable CounterId id, @Nullable Observed before, RemovalCause cause) ->
                        leaveOut(Objects.requireNonNull(id, "Keys are not held weakly.")))
                .build();
    }

    /** The farthest observed state of a counter, as {@link CounterState#asObserved} reduces it. */
    Optional<CounterState> farthest(CounterId id) {
        return Optional.ofNullable(observed.getIfPresent(id)).map(Observed::state);
    }

    /** Whether any counter of a sequence was observed. */
    boolean isAny(SequenceName sequence) {
        return ofSequence.containsKey(sequence);
    }

    /**
     * Whether any counter of a sequence, in any period, was observed farther on than the state that a new counter would
     * start with.
     */
    boolean isAnyBeyond(SequenceName sequence, CounterState first) {
        return ofSequence.getOrDefault(sequence, Set.of()).stream()
                .flatMap(id -> Optional.ofNullable(observed.policy().getIfPresentQuietly(id)).stream())
                .anyMatch(before ->
                        before.state().round() > first.round() || first.isBefore(before.state(), before.fixed()));
    }

    /**
     * Records a state that was read. Returns false if the state is refused because it is older than the observed one.
     */
    boolean observe(CounterId id, CounterState read, FixedFields fixed) {
        Observed after = observed.asMap()
                .compute(id, (key, before) -> before == null ? first(id, read, fixed) : before.met(read, fixed));
        return !after.refuses(read, fixed);
    }

    /**
     * Records a state that was written, or reported by another instance. It may be older than a state that was read
     * since.
     */
    void reported(CounterId id, CounterState state, FixedFields fixed) {
        observed.asMap()
                .compute(id, (key, before) -> before == null ? first(id, state, fixed) : before.reported(state, fixed));
    }

    /**
     * Records the first state of a counter. Runs, like {@link #leaveOut}, while the cache locks the counter's entry, so
     * the two never run in the wrong order.
     */
    private Observed first(CounterId id, CounterState state, FixedFields fixed) {
        ofSequence.merge(id.sequence(), Set.of(id), HighWaterMarks::joined);
        return new Observed(state.asObserved(), fixed, null);
    }

    /**
     * Adds a counter to the set of its sequence. Most sequences have one counter, so a set of one is an immutable set,
     * which takes less memory.
     */
    private static Set<CounterId> joined(Set<CounterId> some, Set<CounterId> added) {
        Set<CounterId> all = some;
        if (some.size() == 1) {
            all = ConcurrentHashMap.newKeySet();
            all.addAll(some);
        }
        all.addAll(added);
        return all;
    }

    private void leaveOut(CounterId id) {
        ofSequence.computeIfPresent(id.sequence(), (sequence, some) -> {
            if (some.size() > 1) {
                some.remove(id);
                return some;
            }
            return null;
        });
    }

    /** Records that an observed counter is gone. A counter that appears later was created since. */
    void gone(CounterId id) {
        observed.asMap().computeIfPresent(id, (key, before) -> before.refusedIn(0));
    }
}
