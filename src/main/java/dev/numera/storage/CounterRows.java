package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import java.util.List;

/** How a counter's state stands in a row: a public contract, described in docs/tables.md. */
final class CounterRows {
    /** Between the ids of operations; versions before there were several wrote one, without it. */
    private static final String SEPARATOR = ",";

    private CounterRows() {}

    static TableEntity write(CounterId id, CounterState state) {
        TableEntity row = put(new TableEntity(RowKeys.partition(id.sequence()), RowKeys.counter(id)), state);
        if (state.lastDate() != null) {
            row.addProperty("lastDate", state.lastDate().toString());
        }
        if (state.firstGiven() != null) {
            row.addProperty("firstGiven", state.firstGiven());
        }
        if (state.firstGivenAt() != null) {
            row.addProperty("firstGivenAt", state.firstGivenAt().toString());
        }
        return state.importedFrom() == null ? row : row.addProperty("importedFrom", state.importedFrom());
    }

    /** How far a counter is. */
    static TableEntity put(TableEntity row, CounterState state) {
        return row.addProperty("next", state.next())
                .addProperty("allocated", state.allocated())
                .addProperty("epoch", state.epoch())
                .addProperty("round", state.round())
                .addProperty("operationId", String.join(SEPARATOR, state.operationIds()))
                .addProperty("changedAt", state.changedAt().toString());
    }

    static CounterState state(StoredRow row) {
        return new CounterState(
                row.int64("next"),
                row.int64("allocated"),
                row.int64("epoch"),
                row.int64OrElse("round", 0),
                List.of(row.text("operationId").split(SEPARATOR, -1)),
                row.instant("changedAt"),
                row.dateOrNull("lastDate"),
                row.int64OrNull("firstGiven"),
                row.instantOrNull("firstGivenAt"),
                row.int64OrNull("importedFrom"));
    }
}
