package dev.numera.bench.strategy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import dev.numera.bench.harness.Window;

/**
 * Reads, adds one and writes with {@code If-Match: *}. Two callers that read the same value allocate the same number.
 */
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
