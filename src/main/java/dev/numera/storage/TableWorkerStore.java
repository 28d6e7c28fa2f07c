package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import dev.numera.counter.WriteResult;
import dev.numera.snowflake.WorkerRow;
import dev.numera.snowflake.WorkerStore;
import java.util.List;
import java.util.Optional;

/** Leases of worker numbers in the table {@value TableNames#COUNTERS}, in a partition of their own. */
final class TableWorkerStore implements WorkerStore {
    private static final String WORKER = "worker";
    private static final String OWNER = "owner";
    private static final String BOUND = "bound";
    private static final String RENEWED_AT = "renewedAt";

    private final Table counters;

    TableWorkerStore(Table counters) {
        this.counters = counters;
    }

    @Override
    public List<WorkerRow> all() {
        return counters.all(Table.partitionIs(RowKeys.WORKERS)).stream()
                .map(TableWorkerStore::read)
                .toList();
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
        return new WorkerRow(
                row.int32(WORKER), row.text(OWNER), row.int64(BOUND), row.int64(RENEWED_AT), row.version());
    }
}
