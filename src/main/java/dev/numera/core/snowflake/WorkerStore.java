package dev.numera.core.snowflake;

import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.Optional;

/**
 * Where the leases of worker numbers are kept. Calls block for one storage request each, and throw
 * {@link StoreFailure}. Thread-safe.
 */
public interface WorkerStore {
    /** The rows that there are, at most one for each number. */
    List<WorkerRow> all();

    Optional<WorkerRow> find(int worker);

    /**
     * Changes the row that is still at this one's version, or inserts it where that is null; lost where another owner
     * else wrote.
     */
    WriteResult write(WorkerRow row);
}
