package dev.numera.bench.strategy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import dev.numera.bench.harness.Window;

/**
 * Blocks for each process, as SnowMaker describes them. Under a lock, numbers come from memory. When they are used up,
 * an optimistic write reserves the next block, with {@value #MAX_ATTEMPTS} attempts. Unlike SnowMaker, the block is
 * used only after its write has won.
 */
final class Blocks implements Strategy {
    private static final int MAX_ATTEMPTS = 25;
    private static final int LOST = 412;

    private final TableClient table;
    private final String sequence;
    private final int size;
    private long last;
    private long highest;

    Blocks(TableClient table, String sequence, int size) {
        this.table = table;
        this.sequence = sequence;
        this.size = size;
    }

    @Override
    public void prepare(int numbersWanted) {
        table.createEntity(LastNumber.none(sequence));
    }

    @Override
    public synchronized long next(Window window) {
        if (last == highest) {
            long reserved = reserve(window);
            highest = reserved;
            last = reserved - size;
        }
        return ++last;
    }

    private long reserve(Window window) {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            window.requireOpen();
            TableEntity row = table.getEntity(sequence, LastNumber.ROW);
            long newLast = LastNumber.add(row, size);
            try {
                table.updateEntityWithResponse(row, TableEntityUpdateMode.REPLACE, true, null, null);
                return newLast;
            } catch (TableServiceException e) {
                if (e.getResponse().getStatusCode() != LOST) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("Lost " + MAX_ATTEMPTS + " attempts.");
    }
}
