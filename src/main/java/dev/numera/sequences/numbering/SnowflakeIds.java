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
 * Allocates the ids of {@code snowflake} sequences. Opens the store of worker ids only when the first id is requested.
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
     * Returns the definition to allocate ids under, marked as in use; empty if it has changed.
     *
     * @throws ProblemException {@code retired}, {@code suspended}, {@code rolled-back} if the definition differs from
     *     the index, or {@code storage-unavailable}
     */
    Optional<Sequence> definitionInUse(Sequence known, Deadline deadline, LeaseCost cost) {
        return known.isInUse() && !known.isStopped()
                ? Optional.of(known)
                : cost.waiting(() -> retries.call(deadline, () -> marked(known.name(), known.isStopped(), cost)));
    }

    /** @param isOld whether to read the definition again first */
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
     * Takes {@code count} ids and returns the first one.
     *
     * @throws ProblemException as in {@link Snowflakes#take}
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
