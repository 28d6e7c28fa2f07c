package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import java.time.Instant;
import java.util.Optional;

/**
 * The mark of a maintenance, a row of its own in the table {@value TableNames#COUNTERS} as long as all sequences are
 * suspended: a public contract, described in docs/tables.md.
 */
final class ServiceRow {
    /** Of no sequence: their partitions have a colon. */
    private static final String PARTITION = "~service";

    private static final String ROW = "maintenance";
    private static final String SINCE = "since";
    static final String FILTER = Table.partitionIs(PARTITION);

    /** All rows but this one, which no backup has. */
    static final String OTHERS = "PartitionKey ne '" + PARTITION + "'";

    private ServiceRow() {}

    static TableEntity write(Instant since) {
        return new TableEntity(PARTITION, ROW).addProperty(SINCE, since.toString());
    }

    static Optional<Instant> read(Table counters) {
        return counters.find(PARTITION, ROW).map(row -> row.instant(SINCE));
    }
}
