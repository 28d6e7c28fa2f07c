package dev.numera.core.snowflake;

import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Allocates ids for the sequences of this process under one lease. Thread-safe; one for each process.
 *
 * <p>Ids must be distinct only within a sequence, so sequences need not share the {@value IdLayout#PLACES} ids of a
 * tick. The process has a fixed number of generators, and a sequence always uses the same one. A generator for each
 * sequence could never be forgotten, because a new generator could repeat the ids of the forgotten one.
 */
public final class Snowflakes {
    /** The most ids of one call, because they all lie in one tick. */
    public static final int MAX_COUNT = IdLayout.PLACES;

    private static final int GENERATORS = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Leaseholder holder;
    private final Clock time;
    private final List<Generator> generators =
            Stream.generate(Generator::new).limit(GENERATORS).toList();

    /**
     * @param random returns numbers from 0 to 1, never 1 itself
     * @param threads runs one task, which starts with the first id and never ends
     */
    public Snowflakes(WorkerStore store, Clock time, DoubleSupplier random, Executor threads) {
        this.holder = new Leaseholder(store, time, random, threads, this::lastTick);
        this.time = time;
    }

    Leaseholder holder() {
        return holder;
    }

    private long lastTick() {
        long last = -1;
        for (Generator generator : generators) {
            last = Math.max(last, generator.lastTick());
        }
        return last;
    }

    /**
     * Returns the first of {@code count} consecutive ids. Blocks for storage if this process has no lease or has used
     * it up. Blocks for the clock, at most a second, if the ids of the present tick are used up or the clock went back.
     *
     * @param count from 1 to {@link #MAX_COUNT}
     * @param cost grows by the time that the call waits for storage
     * @throws ProblemException {@code overloaded} if no worker number is free, or more ids are requested than exist;
     *     {@code clock-behind}; {@code exhausted} in 2113
     * @throws StoreFailure this process has no lease and cannot take one
     */
    public long take(SequenceName name, int count, Deadline deadline, LeaseCost cost) {
        Generator generator = generator(name);
        Deadline patience = Deadline.in(PATIENCE, time);
        Lease lease = holder.held();
        while (true) {
            if (lease == null) {
                lease = another(null, deadline, cost);
            }
            long now = now();
            requireCalendar(now);
            long first = generator.next(lease, count, now);
            if (first >= 0) {
                return first;
            }
            if (first == Generator.USED_UP) {
                throw usedUp(name);
            }
            if (first == Generator.BEYOND_BOUND) {
                lease = another(lease, deadline, cost);
            } else if (patience.isOver() || deadline.isOver()) {
                throw generator.lastTick() > lease.reach(now) ? clockBehind() : tooMany(name);
            } else {
                time.pause(untilNextTick());
                lease = holder.held();
            }
        }
    }

    private Lease another(@Nullable Lease useless, Deadline deadline, LeaseCost cost) {
        return cost.waiting(() -> holder.another(useless, deadline, cost));
    }

    /** Returns sample ids for a preview, in the form of ids that would be allocated at this moment. */
    public static List<Long> samples(Instant moment, int count) {
        return LongStream.range(0, count)
                .map(place -> IdLayout.id(Math.max(0, IdLayout.tick(moment)), 0, (int) place))
                .boxed()
                .toList();
    }

    private Generator generator(SequenceName name) {
        return generators.get(Math.floorMod(name.hashCode(), GENERATORS));
    }

    private long now() {
        return IdLayout.tick(time.now());
    }

    private Duration untilNextTick() {
        long millis = time.now().toEpochMilli();
        return Duration.ofMillis(IdLayout.MILLIS_A_TICK - Math.floorMod(millis, IdLayout.MILLIS_A_TICK));
    }

    private static void requireCalendar(long now) {
        if (now < 0) {
            throw new ProblemException(
                    ProblemType.CLOCK_BEHIND,
                    "The clock of this instance shows a time before 2026, when snowflake ids start. Correct the clock.");
        }
    }

    private static ProblemException clockBehind() {
        return new ProblemException(
                ProblemType.CLOCK_BEHIND,
                "The clock of this instance went back by more than a second, so it allocates no ids until the clock has"
                        + " caught up. Try again: other instances may answer. If this continues, correct the clock and"
                        + " restart the instance.");
    }

    private static ProblemException tooMany(SequenceName name) {
        return new ProblemException(
                ProblemType.OVERLOADED,
                "Too many snowflake ids of " + name + " were requested: an instance allocates at most "
                        + IdLayout.PLACES + " in 10 ms. Try again later, or request fewer.");
    }

    private static ProblemException usedUp(SequenceName name) {
        return new ProblemException(
                ProblemType.EXHAUSTED,
                "The sequence " + name
                        + " has no ids left, because snowflake ids end in 2113. If it is earlier, correct the clock of this"
                        + " instance.",
                Map.of("left", 0));
    }
}
