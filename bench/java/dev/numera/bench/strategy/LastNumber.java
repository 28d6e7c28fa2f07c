package dev.numera.bench.strategy;

import com.azure.data.tables.models.TableEntity;

/** The row of a plain counter: the last number that was allocated. */
final class LastNumber {
    static final String ROW = "counter";
    private static final String PROPERTY = "last";

    private LastNumber() {}

    static TableEntity none(String sequence) {
        return new TableEntity(sequence, ROW).addProperty(PROPERTY, 0L);
    }

    /** Adds one in the row, which keeps its ETag, and returns the sum. */
    static long increment(TableEntity row) {
        return add(row, 1);
    }

    static long add(TableEntity row, int count) {
        long sum = (Long) row.getProperty(PROPERTY) + count;
        row.addProperty(PROPERTY, sum);
        return sum;
    }
}
