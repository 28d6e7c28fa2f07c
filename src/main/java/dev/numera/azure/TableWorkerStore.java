package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.core.snowflake.WorkerRow;
import dev.numera.core.snowflake.WorkerStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Stores the leases of worker numbers in the table {@value TableNames#COUNTERS}, in a partition of their own. */
final class TableWorkerStore implements WorkerStore {
    private static final Logger LOG = Logger.getLogger(TableWorkerStore.class.getName());
    private static final String WORKER = "worker";
    private static final String OWNER = "owner";
    private static final String BOUND = "bound";
    private static final String RENEWED_AT = "renewedAt";

    private final Table counters;

    TableWorkerStore(Table counters) {
        this.counters = counters;
    }

    /** Reads all leases. Skips rows whose names contain no worker number. */
    @Override
    public List<WorkerRow> all() {
        List<WorkerRow> rows = new ArrayList<>();
        for (StoredRow row : counters.all(Table.partitionIs(RowKeys.WORKERS))) {
            RowKeys.workerOf(row.row()).ifPresent(worker -> rows.add(readOrTaken(worker, row)));
        }
        return rows;
    }

    private static WorkerRow readOrTaken(int worker, StoredRow row) {
        try {
            return read(row);
        } catch (StoreFailure e) {
            LOG.log(
                    Level.WARNING,
                    "A worker number for snowflake ids is skipped, because its row cannot be read: {0}",
                    e.getMessage());
            return WorkerRow.unreadable(worker, row.version());
        }
    }

    @Override
    public Optional<WorkerRow> find(int worker) {
        return counters.find(RowKeys.WORKERS, RowKeys.worker(worker)).map(TableWorkerStore::read);
    }

    @Override
    public WriteResult write(WorkerRow row) {
        TableEntity entity = new TableEntity(RowKeys.WORKERS, RowKeys.worker(row.worker()))
                .addProperty(WORKER, row.worker())
                .addProperty(OWNER, row.owner())
                .addProperty(BOUND, row.bound())
                .addProperty(RENEWED_AT, row.renewedAt());
        return row.version() == null ? counters.insert(entity) : counters.change(entity, row.version());
    }

    private static WorkerRow read(StoredRow row) {
        int worker = row.int32(WORKER, 0, WorkerRow.WORKERS - 1);
        row.requireName(RowKeys.worker(worker), WORKER);
        return new WorkerRow(
                worker,
                StoredRow.id(row.string(OWNER)),
                row.int64(BOUND, 0, WorkerRow.LAST_TICK),
                row.int64(RENEWED_AT, -WorkerRow.LAST_TICK, WorkerRow.LAST_TICK),
                row.version());
    }
}
