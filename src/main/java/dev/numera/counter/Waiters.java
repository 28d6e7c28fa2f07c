package dev.numera.counter;

import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts for each sequence the calls that wait for it, whatever they wait for: its definition, a look-up, a block, an
 * upload, a write. The bound is lower than what an instance takes at once, so that one sequence in trouble never fills
 * an instance. Thread-safe; no call blocks by itself.
 */
public final class Waiters {
    /** What is left behind when the last one has gone: whoever finds it makes a new count. */
    private static final int CLOSED = -1;

    private final ConcurrentMap<SequenceName, AtomicInteger> waiting = new ConcurrentHashMap<>();
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
        AtomicInteger count = enter(sequence);
        if (count == null) {
            return whenFull.get();
        }
        try {
            return call.get();
        } finally {
            if (count.decrementAndGet() == 0 && count.compareAndSet(0, CLOSED)) {
                waiting.remove(sequence, count);
            }
        }
    }

    /**
     * Null where as many wait as may. Without a lock: a thread that loses its processor while it holds one would hold
     * up all the others.
     */
    private @Nullable AtomicInteger enter(SequenceName sequence) {
        while (true) {
            AtomicInteger known = waiting.get(sequence);
            AtomicInteger count =
                    known != null ? known : waiting.computeIfAbsent(sequence, name -> new AtomicInteger());
            int others = count.get();
            if (others == CLOSED) {
                waiting.remove(sequence, count);
                continue;
            }
            if (others >= maxForEach) {
                return null;
            }
            if (count.compareAndSet(others, others + 1)) {
                return count;
            }
        }
    }
}
