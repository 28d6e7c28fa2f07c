package dev.numera.bench.strategy;

import com.azure.data.tables.models.TableEntity;

/** The row of a simple counter, with the last allocated number. */
final class LastNumber {
    static final String ROW = "counter";
    private static final String PROPERTY = "last";

    private LastNumber() {}

    static TableEntity none(String sequence) {
        return new TableEntity(sequence, ROW).addProperty(PROPERTY, 0L);
    }

    /** Adds one to the number in the row and returns the sum. The row keeps its ETag. */
    static long increment(TableEntity row) {
        return add(row, 1);
    }

    static long add(TableEntity row, int count) {
        long sum = (Long) row.getProperty(PROPERTY) + count;
        row.addProperty(PROPERTY, sum);
        return sum;
    }
}
