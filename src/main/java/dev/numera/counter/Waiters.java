package dev.numera.counter;

import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Counts for each sequence the calls that wait for it, whatever they wait for: its definition, a look-up, a block, an
 * upload, a write. The bound is lower than what an instance takes at once, so that one sequence in trouble never fills
 * an instance. Thread-safe; no call blocks by itself.
 */
public final class Waiters {
    private final ConcurrentMap<SequenceName, Integer> waiting = new ConcurrentHashMap<>();
    private final int maxForEach;

    /** @param maxForEach how many calls may wait for one sequence at once, at least 1 */
    public Waiters(int maxForEach) {
        this.maxForEach = maxForEach;
    }

    /**
     * Does something that may have to wait for the sequence.
     *
     * @throws ProblemException {@code overloaded} when as many wait for it as may; else what the call throws
     */
    public <T> T count(SequenceName sequence, Supplier<T> call) {
        return count(sequence, call, () -> {
            throw new ProblemException(
                    ProblemType.OVERLOADED,
                    "The call to the sequence " + sequence + " was turned away: " + maxForEach
                            + " wait for it already. Try again later, or spread the load over more sequences.");
        });
    }

    /** As the other, but where as many wait for the sequence as may, does the second thing, which is not counted. */
    public <T> T count(SequenceName sequence, Supplier<T> call, Supplier<T> whenFull) {
        AtomicBoolean isFull = new AtomicBoolean();
        waiting.merge(sequence, 1, (count, one) -> {
            isFull.set(count >= maxForEach);
            return isFull.get() ? count : count + one;
        });
        if (isFull.get()) {
            return whenFull.get();
        }
        try {
            return call.get();
        } finally {
            waiting.computeIfPresent(sequence, (name, count) -> count == 1 ? null : count - 1);
        }
    }
}
