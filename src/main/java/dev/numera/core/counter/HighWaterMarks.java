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
 * How far this process has observed each counter, whichever definition it was observed under. Outlives what is cached
 * of a counter: by this alone a process notices that a table was replaced by an older one, or emptied. Holds a few
 * hundred bytes for each; the least used ones are forgotten beyond the bound. Thread-safe; never blocks for storage.
 *
 * <p>Decision: {@code docs/decisions/a-lower-epoch-means-an-older-table.md}.
 */
public final class HighWaterMarks {
    /**
     * What is known of one counter. Immutable.
     *
     * @param state the farthest one that was observed
     * @param fixed the fields that it was observed under
     * @param refusedEpoch the highest epoch in which it was refused since then, 0 where it was gone; null where it was
     *     not refused
     */
    private record Observed(CounterState state, FixedFields fixed, @Nullable Long refusedEpoch) {
        /**
         * A lower epoch is refused until there is one after the refusal: an advance has moved what was refused, by a
         * clock that may be behind the one that the observed epoch comes from. Nothing excuses a lower next number; but
         * numbers of a definition that counts in the other direction do not compare, so that the epoch alone decides.
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

    /** @param most of how many counters */
    public HighWaterMarks(long most) {
        observed = Caffeine.newBuilder()
                .maximumSize(most)
                .executor(Runnable::run)
                .evictionListener((@Nullable CounterId id, @Nullable Observed before, RemovalCause cause) ->
                        leaveOut(Objects.requireNonNull(id, "Keys are not held weakly.")))
                .build();
    }

    /** The farthest state, as {@link CounterState#asObserved}. */
    Optional<CounterState> farthest(CounterId id) {
        return Optional.ofNullable(observed.getIfPresent(id)).map(Observed::state);
    }

    /** Whether any counter of a sequence was observed. */
    boolean isAny(SequenceName sequence) {
        return ofSequence.containsKey(sequence);
    }

    /**
     * Whether a counter of a sequence, of any period, was observed farther on than a state with which one may begin.
     */
    boolean isAnyBeyond(SequenceName sequence, CounterState first) {
        return ofSequence.getOrDefault(sequence, Set.of()).stream()
                .flatMap(id -> Optional.ofNullable(observed.policy().getIfPresentQuietly(id)).stream())
                .anyMatch(before ->
                        before.state().round() > first.round() || first.isBefore(before.state(), before.fixed()));
    }

    /**
     * Observes a state that was read, unless it is refused for what was observed before; returns whether it was not.
     */
    boolean observe(CounterId id, CounterState read, FixedFields fixed) {
        Observed after = observed.asMap()
                .compute(id, (key, before) -> before == null ? first(id, read, fixed) : before.met(read, fixed));
        return !after.refuses(read, fixed);
    }

    /** A state that was written, or reported by another instance: which may be older than what was read since. */
    void reported(CounterId id, CounterState state, FixedFields fixed) {
        observed.asMap()
                .compute(id, (key, before) -> before == null ? first(id, state, fixed) : before.reported(state, fixed));
    }

    /** Called, as {@link #leaveOut} is, while the entry of the counter is held: the two never come out of order. */
    private Observed first(CounterId id, CounterState state, FixedFields fixed) {
        ofSequence.merge(id.sequence(), Set.of(id), HighWaterMarks::joined);
        return new Observed(state.asObserved(), fixed, null);
    }

    /** Most sequences have one counter, which takes little room alone. */
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

    /** A counter that was observed is gone: whatever is there later was begun since. */
    void gone(CounterId id) {
        observed.asMap().computeIfPresent(id, (key, before) -> before.refusedIn(0));
    }
}
