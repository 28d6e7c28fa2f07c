package dev.numera.bench.strategy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import dev.numera.bench.harness.Window;

/** Read, add one, write with {@code If-Match: *}: what two callers read at once, both allocate. */
final class LastWriterWins implements Strategy {
    private final TableClient table;
    private final String sequence;

    LastWriterWins(TableClient table, String sequence) {
        this.table = table;
        this.sequence = sequence;
    }

    @Override
    public void prepare(int numbersWanted) {
        table.createEntity(LastNumber.none(sequence));
    }

    @Override
    public long next(Window window) {
        TableEntity row = table.getEntity(sequence, LastNumber.ROW);
        long number = LastNumber.increment(row);
        table.updateEntityWithResponse(row, TableEntityUpdateMode.MERGE, false, null, null);
        return number;
    }
}
