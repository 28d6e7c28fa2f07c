package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import dev.numera.model.CounterId;
import dev.numera.model.CounterState;
import dev.numera.model.Series;
import java.util.List;

/** How a counter's state is stored: a public contract, described in docs/tables.md. */
final class CounterRows {
    /** As many as there can be, of a cycle in one round: it leaves room for what one write adds. */
    private static final long MOST_ALLOCATED = 2 * Series.LARGEST_VALUE;
    /** Milliseconds since 1970, until about the year 33,000: room for clocks that are ahead, and for one more. */
    private static final long LAST_EPOCH = 1_000_000_000_000_000L;

    private CounterRows() {}

    static TableEntity write(CounterId id, CounterState state) {
        TableEntity row = put(new TableEntity(RowKeys.partition(id.sequence()), RowKeys.counter(id)), state);
        if (state.lastDate() != null) {
            row.addProperty("lastDate", state.lastDate().toString());
        }
        if (state.firstAllocated() != null) {
            row.addProperty("firstGiven", state.firstAllocated());
        }
        if (state.firstAllocatedAt() != null) {
            row.addProperty("firstGivenAt", state.firstAllocatedAt().toString());
        }
        return state.importedFrom() == null ? row : row.addProperty("importedFrom", state.importedFrom());
    }

    /** How far a counter is. */
    static TableEntity put(TableEntity row, CounterState state) {
        return row.addProperty("next", state.next())
                .addProperty("allocated", state.allocated())
                .addProperty("epoch", state.epoch())
                .addProperty("round", state.round())
                .addProperty("operationId", String.join(",", state.operationIds()))
                .addProperty("changedAt", state.changedAt().toString());
    }

    static CounterState state(StoredRow row) {
        return new CounterState(
                row.int64("next", -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT),
                row.int64("allocated", 0, MOST_ALLOCATED),
                row.int64("epoch", 0, LAST_EPOCH),
                row.has("round") ? row.int64("round", 0, Series.LARGEST_VALUE) : 0,
                // Versions that kept only the last id wrote it alone.
                List.of(row.text("operationId", 0, StoredRow.MAX_ID_UNITS).split(",", -1)),
                row.instant("changedAt"),
                row.dateOrNull("lastDate"),
                row.int64OrNull("firstGiven", -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT),
                row.instantOrNull("firstGivenAt"),
                row.int64OrNull("importedFrom", -Series.LARGEST_VALUE, Series.LARGEST_VALUE));
    }
}
