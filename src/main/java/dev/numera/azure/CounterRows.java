package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Series;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Maps a counter's state to its columns and back. The format is a public contract, described in docs/tables.md. */
public final class CounterRows {
    /** The most numbers that one round of a cycle can allocate, with room for one more write. */
    private static final long MOST_ALLOCATED = 2 * Series.LARGEST_VALUE;
    /**
     * Milliseconds since 1970, until about the year 33,000. The value leaves room for clocks that are ahead and for one
     * more epoch.
     */
    private static final long LAST_EPOCH = 1_000_000_000_000_000L;

    private static final String NEXT = "next";
    private static final String RESTORED_FROM = "restoredFrom";

    private CounterRows() {}

    static TableEntity write(CounterId id, CounterState state) {
        TableEntity row = put(new TableEntity(RowKeys.partition(id.sequence()), RowKeys.counter(id)), state);
        if (state.lastDate() != null) {
            row.addProperty("lastDate", state.lastDate().toString());
        }
        Long first = state.firstAllocated();
        if (first != null) {
            row.addProperty("firstGiven", first);
        }
        Instant firstAt = state.firstAllocatedAt();
        if (firstAt != null) {
            row.addProperty("firstGivenAt", firstAt.toString());
        }
        if (state.restoredFrom() != null) {
            row.addProperty(RESTORED_FROM, state.restoredFrom());
        }
        return state.importedFrom() == null ? row : row.addProperty("importedFrom", state.importedFrom());
    }

    /**
     * Like {@link #write}, and clears the mark of a restore if the state has none. The clearing is explicit because a
     * merge removes no column.
     */
    static TableEntity move(CounterId id, CounterState state) {
        TableEntity row = write(id, state);
        return state.restoredFrom() == null ? row.addProperty(RESTORED_FROM, "") : row;
    }

    /**
     * Returns the columns of a restored counter. They contain a mark: the owner must advance the counter before it
     * allocates again.
     */
    public static SortedMap<String, Object> restored(SortedMap<String, Object> columns) {
        SortedMap<String, Object> restored = new TreeMap<>(columns);
        if (columns.get(NEXT) instanceof Long next) {
            restored.put(RESTORED_FROM, next);
        }
        return restored;
    }

    /** Whether a restore wrote the counter and no advance followed. Works even if other columns cannot be read. */
    static boolean isRestored(StoredRow row) {
        return row.hasValue(RESTORED_FROM);
    }

    /** Adds the columns that change with every allocation. The answer to a peer request contains the same columns. */
    static TableEntity put(TableEntity row, CounterState state) {
        return row.addProperty(NEXT, state.next())
                .addProperty("allocated", state.allocated())
                .addProperty("epoch", state.epoch())
                .addProperty("round", state.round())
                .addProperty("operationId", String.join(",", state.operationIds()))
                .addProperty("changedAt", state.changedAt().toString());
    }

    static CounterState state(StoredRow row) {
        return new CounterState(
                row.int64(NEXT, -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT),
                row.int64("allocated", 0, MOST_ALLOCATED),
                row.int64("epoch", 0, LAST_EPOCH),
                row.has("round") ? row.int64("round", 0, Series.LARGEST_VALUE) : 0,
                // Versions that kept only the last id wrote it alone.
                List.of(row.text("operationId", 0, StoredRow.MAX_ID_UNITS).split(",", -1)),
                row.instant("changedAt"),
                row.dateOrNull("lastDate"),
                row.int64OrNull("firstGiven", -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT),
                row.instantOrNull("firstGivenAt"),
                row.int64OrNull("importedFrom", -Series.LARGEST_VALUE, Series.LARGEST_VALUE),
                row.int64UnlessEmpty(RESTORED_FROM, -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT));
    }
}
