package dev.numera.sequences.access;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Bounds how many calls of each sequence are in progress at once, from reading the definition to the answer. The bound
 * is lower than the number of calls that an instance serves at once, so one failing sequence never fills an instance.
 * Thread-safe; no call waits here.
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
     * @throws ProblemException {@code overloaded} if the sequence already has the maximum number of calls; otherwise as
     *     thrown by the call
     */
    public <T> T call(SequenceName sequence, Supplier<T> call) {
        return call(sequence, call, () -> {
            throw new ProblemException(
                    ProblemType.OVERLOADED,
                    "The call to the sequence " + sequence + " was refused: " + maxForEach
                            + " calls already wait for it. Try again later, or spread the load over more sequences.");
        });
    }

    /**
     * Makes a call that may have to wait for the sequence. Makes {@code whenFull} instead, without counting it, if the
     * sequence already has the maximum number of calls.
     */
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
