package dev.numera.bench.strategy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import dev.numera.bench.harness.Window;
import java.util.Iterator;

/**
 * Reads the greatest number and inserts the next one under a unique key. Tries again if another caller inserted that
 * number first.
 */
final class MaxPlusOne implements Strategy {
    private static final int EXISTS = 409;

    private final TableClient table;
    private final String sequence;

    MaxPlusOne(TableClient table, String sequence) {
        this.table = table;
        this.sequence = sequence;
    }

    @Override
    public long next(Window window) {
        for (int attempt = 1; attempt <= MergeLoop.MAX_ATTEMPTS; attempt++) {
            window.requireOpen();
            long number = max() + 1;
            try {
                table.createEntity(new TableEntity(sequence, row(number)));
                return number;
            } catch (TableServiceException e) {
                if (e.getResponse().getStatusCode() != EXISTS) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("Lost " + MergeLoop.MAX_ATTEMPTS + " attempts.");
    }

    /**
     * Returns the greatest number. The service has no maximum, but returns rows in key order, so the greatest number
     * gets the smallest key.
     */
    private long max() {
        ListEntitiesOptions first = new ListEntitiesOptions()
                .setFilter("PartitionKey eq '" + sequence + "'")
                .setTop(1);
        Iterator<TableEntity> rows = table.listEntities(first, null, null)
                .iterableByPage()
                .iterator()
                .next()
                .getValue()
                .iterator();
        return rows.hasNext() ? Integer.MAX_VALUE - Long.parseLong(rows.next().getRowKey()) : 0;
    }

    private static String row(long number) {
        return String.format("%010d", Integer.MAX_VALUE - number);
    }
}
