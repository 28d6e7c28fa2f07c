package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.MaintenanceMark;
import dev.numera.core.retry.WriteResult;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps the mark of the whole service to its row in a table and back. The first maintenance creates the row. The format
 * is a public contract, described in docs/tables.md.
 */
public final class MaintenanceRow {
    /**
     * The partition of the service's row. It belongs to no sequence: a scope starts with a tilde only in templates,
     * whose partitions contain a colon.
     */
    public static final String PARTITION = "~service";

    private static final String ROW = "maintenance";
    static final String SINCE = "since";
    static final String CREATION_CLOSED_AT = "creationClosedAt";

    /** The filter for all rows except the mark, which no backup contains. */
    public static final String OTHERS = "PartitionKey ne '" + PARTITION + "'";

    private MaintenanceRow() {}

    static Optional<StoredRow> find(Table table) {
        return table.find(PARTITION, ROW);
    }

    public static MaintenanceMark read(Table table) {
        return mark(find(table));
    }

    /** @param row the row as read; empty if the table has none yet */
    static WriteResult write(Table table, Optional<StoredRow> row, MaintenanceMark after) {
        TableEntity entity = new TableEntity(PARTITION, ROW)
                .addProperty(SINCE, text(after.suspendedAt()))
                .addProperty(CREATION_CLOSED_AT, text(after.creationClosedAt()));
        WriteResult result = row.isPresent() ? table.change(entity, row.get().version()) : table.insert(entity);
        result.requireKnown();
        return result;
    }

    static String text(@Nullable Instant time) {
        return time == null ? "" : time.toString();
    }

    static MaintenanceMark mark(Optional<StoredRow> row) {
        return row.map(there ->
                        new MaintenanceMark(there.instantOrNull(SINCE), there.instantOrNull(CREATION_CLOSED_AT)))
                .orElse(MaintenanceMark.NONE);
    }
}
