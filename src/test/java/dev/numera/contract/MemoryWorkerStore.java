package dev.numera.contract;

import dev.numera.core.retry.WriteResult;
import dev.numera.core.snowflake.WorkerRow;
import dev.numera.core.snowflake.WorkerStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Leases of worker numbers in memory, with the same outcomes as the tables. Thread-safe. */
public final class MemoryWorkerStore implements WorkerStore {
    private final Map<Integer, WorkerRow> rows = new TreeMap<>();
    private long versions;

    @Override
    public synchronized List<WorkerRow> all() {
        return new ArrayList<>(rows.values());
    }

    @Override
    public synchronized Optional<WorkerRow> find(int worker) {
        return Optional.ofNullable(rows.get(worker));
    }

    @Override
    public synchronized WriteResult write(WorkerRow row) {
        WorkerRow present = rows.get(row.worker());
        if (!Objects.equals(present == null ? null : present.version(), row.version())) {
            return row.version() == null ? WriteResult.Refused.EXISTS : WriteResult.Refused.CHANGED;
        }
        return new WriteResult.Won(put(row));
    }

    /** Writes a lease without a condition, as another program could. */
    public synchronized String put(WorkerRow row) {
        String version = "version " + ++versions;
        rows.put(row.worker(), new WorkerRow(row.worker(), row.owner(), row.bound(), row.renewedAt(), version));
        return version;
    }

    public synchronized void remove(int worker) {
        rows.remove(worker);
    }
}
