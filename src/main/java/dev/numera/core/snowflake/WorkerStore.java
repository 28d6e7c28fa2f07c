package dev.numera.core.snowflake;

import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import java.util.List;
import java.util.Optional;

/**
 * The storage of the leases of worker numbers. Each call blocks for one storage request and may throw a
 * {@link StoreFailure}. Thread-safe.
 */
public interface WorkerStore {
    /** Returns the existing rows, at most one for each number. */
    List<WorkerRow> all();

    Optional<WorkerRow> find(int worker);

    /**
     * Changes the row on condition that it still has this row's version; inserts it if that version is null. The write
     * is lost if another owner has written the row.
     */
    WriteResult write(WorkerRow row);
}
