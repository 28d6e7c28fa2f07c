package dev.numera.sequences.numbering;

import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Deadline;
import dev.numera.core.retry.RetryPolicy;
import dev.numera.core.snowflake.LeaseCost;
import dev.numera.core.snowflake.Snowflakes;
import dev.numera.core.snowflake.WorkerStore;
import dev.numera.sequences.access.DefinitionCache;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the ids of {@code snowflake} sequences come from. Nothing of it is there until the first one is requested.
 * Thread-safe.
 */
public final class SnowflakeIds {
    private final DefinitionCache definitions;
    private final Supplier<WorkerStore> workers;
    private final RetryPolicy retries;
    private final Clock time;
    private final DoubleSupplier random;
    private final Executor leaders;
    private volatile @Nullable Snowflakes made;

    public SnowflakeIds(
            DefinitionCache definitions,
            Supplier<WorkerStore> workers,
            RetryPolicy retries,
            Clock time,
            DoubleSupplier random,
            Executor leaders) {
        this.definitions = definitions;
        this.workers = workers;
        this.retries = retries;
        this.time = time;
        this.random = random;
        this.leaders = leaders;
    }

    /**
     * The definition by which ids may be allocated, marked as in use; nothing where it is another one now.
     *
     * @throws ProblemException {@code retired}, {@code suspended}, {@code rolled-back} where the definition is not that
     *     of the index, or {@code storage-unavailable}
     */
    Optional<Sequence> definitionInUse(Sequence known, Deadline deadline, LeaseCost cost) {
        return known.isInUse() && !known.isStopped()
                ? Optional.of(known)
                : cost.waiting(() -> retries.call(deadline, () -> marked(known.name(), known.isStopped(), cost)));
    }

    /** @param isOld whether the definition is to be read again */
    private Optional<Sequence> marked(SequenceName name, boolean isOld, LeaseCost cost) {
        if (isOld) {
            definitions.reload(name);
        }
        Sequence present = definitions.markable(name);
        if (present.fixed().guarantee() != Guarantee.SNOWFLAKE) {
            return Optional.empty();
        }
        if (present.isStopped()) {
            throw present.refusalAsStopped();
        }
        if (!present.isInUse()) {
            cost.attempt();
        }
        return present.isInUse() || definitions.mark(present) ? Optional.of(present.marked()) : Optional.empty();
    }

    /**
     * The first of so many ids.
     *
     * @throws ProblemException as {@link Snowflakes#take}
     */
    long take(SequenceName name, int count, Deadline deadline, LeaseCost cost) {
        return retries.call(deadline, () -> snowflakes().take(name, count, deadline, cost));
    }

    private Snowflakes snowflakes() {
        Snowflakes present = made;
        return present == null ? make() : present;
    }

    private synchronized Snowflakes make() {
        Snowflakes present = made;
        if (present == null) {
            present = new Snowflakes(workers.get(), time, random, leaders);
            made = present;
        }
        return present;
    }
}
