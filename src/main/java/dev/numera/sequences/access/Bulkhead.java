package dev.numera.sequences.access;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Bounds for each sequence how many calls are in progress at once, whatever they wait for: its definition, a look-up, a
 * block, an upload, a write. The bound is lower than what an instance takes at once, so that one sequence with a
 * failure never fills an instance. Thread-safe; no call waits here.
 *
 * <p>Decision: {@code docs/decisions/calls-of-a-sequence-are-bounded-until-answered.md}.
 */
public final class Bulkhead {
    private final ConcurrentMap<SequenceName, Integer> inProgress = new ConcurrentHashMap<>();
    private final int maxForEach;

    /** @param maxForEach how many calls of one sequence may be in progress at once, at least 1 */
    public Bulkhead(int maxForEach) {
        this.maxForEach = maxForEach;
    }

    /**
     * Makes a call that may have to wait for the sequence.
     *
     * @throws ProblemException {@code overloaded} when as many wait for it as may; else what the call throws
     */
    public <T> T call(SequenceName sequence, Supplier<T> call) {
        return call(sequence, call, () -> {
            throw new ProblemException(
                    ProblemType.OVERLOADED,
                    "The call to the sequence " + sequence + " was turned away: " + maxForEach
                            + " wait for it already. Try again later, or spread the load over more sequences.");
        });
    }

    /** As the other; where as many calls wait for the sequence as may, makes the second one, which is not counted. */
    public <T> T call(SequenceName sequence, Supplier<T> call, Supplier<T> whenFull) {
        AtomicBoolean isFull = new AtomicBoolean();
        inProgress.merge(sequence, 1, (count, one) -> {
            isFull.set(count >= maxForEach);
            return isFull.get() ? count : count + one;
        });
        if (isFull.get()) {
            return whenFull.get();
        }
        try {
            return call.get();
        } finally {
            inProgress.computeIfPresent(sequence, (name, count) -> count == 1 ? null : count - 1);
        }
    }
}
