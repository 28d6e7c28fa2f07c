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
 * The farthest state that this process has observed of each counter, under any definition. The marks outlive the cached
 * counters, so that the process notices when a table was emptied or replaced by an older one. A mark takes a few
 * hundred bytes; beyond the bound, the least used marks are evicted. Thread-safe; never blocks for storage.
 *
 * <p>Decision: {@code docs/decisions/a-lower-epoch-means-an-older-table.md}.
 */
public final class HighWaterMarks {
    /**
     * The mark of one counter. Immutable.
     *
     * @param state the farthest observed state
     * @param fixed the fixed fields of the definition at that time
     * @param refusedEpoch the highest epoch in which the counter was refused since then, 0 if it no longer existed;
     *     null if it was not refused
     */
    private record Observed(CounterState state, FixedFields fixed, @Nullable Long refusedEpoch) {
        /**
         * Whether this state is from an older table. A lower epoch is refused, except when it is higher than the
         * refused epoch: then an advance has moved the refused counter, by a clock that may be behind the clock of the
         * observed epoch. A lower next number is always refused. If the definition counts in the other direction now,
         * the numbers do not compare, and only the epoch decides.
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

    /** @param most the number of counters to keep marks of */
    public HighWaterMarks(long most) {
        observed = Caffeine.newBuilder()
                .maximumSize(most)
                .executor(Runnable::run)
                .evictionListener((@Nullable CounterId id, @Nullable Observed before, RemovalCause cause) ->
                        leaveOut(Objects.requireNonNull(id, "Keys are not held weakly.")))
                .build();
    }

    /** Returns the farthest observed state, in the form of {@link CounterState#asObserved}. */
    Optional<CounterState> farthest(CounterId id) {
        return Optional.ofNullable(observed.getIfPresent(id)).map(Observed::state);
    }

    /** Whether any counter of a sequence was observed. */
    boolean isAny(SequenceName sequence) {
        return ofSequence.containsKey(sequence);
    }

    /** Whether a counter of a sequence, of any period, was observed beyond this first state of a counter. */
    boolean isAnyBeyond(SequenceName sequence, CounterState first) {
        return ofSequence.getOrDefault(sequence, Set.of()).stream()
                .flatMap(id -> Optional.ofNullable(observed.policy().getIfPresentQuietly(id)).stream())
                .anyMatch(before ->
                        before.state().round() > first.round() || first.isBefore(before.state(), before.fixed()));
    }

    /**
     * Observes a state that was read. Returns false if the state is refused because a later one was observed before.
     */
    boolean observe(CounterId id, CounterState read, FixedFields fixed) {
        Observed after = observed.asMap()
                .compute(id, (key, before) -> before == null ? first(id, read, fixed) : before.met(read, fixed));
        return !after.refuses(read, fixed);
    }

    /** Observes a state that was written, or reported by another instance, and may be older than a state read since. */
    void reported(CounterId id, CounterState state, FixedFields fixed) {
        observed.asMap()
                .compute(id, (key, before) -> before == null ? first(id, state, fixed) : before.reported(state, fixed));
    }

    /**
     * Adds a counter. The cache locks the counter's entry during this method and {@link #leaveOut}, so they keep their
     * order.
     */
    private Observed first(CounterId id, CounterState state, FixedFields fixed) {
        ofSequence.merge(id.sequence(), Set.of(id), HighWaterMarks::joined);
        return new Observed(state.asObserved(), fixed, null);
    }

    /** Returns the union of both sets. Most sequences have one counter, which stays in a small immutable set. */
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

    /** Records that an observed counter no longer exists. A counter that is found later was created since. */
    void gone(CounterId id) {
        observed.asMap().computeIfPresent(id, (key, before) -> before.refusedIn(0));
    }
}
