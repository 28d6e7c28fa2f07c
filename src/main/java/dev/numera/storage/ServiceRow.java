package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import dev.numera.execution.Clock;
import dev.numera.execution.RetryPolicy;
import dev.numera.execution.WriteResult;
import dev.numera.model.ServiceMark;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The mark of the whole service, a row of its own in the table {@value TableNames#COUNTERS} from the first maintenance
 * on: a public contract, described in docs/tables.md.
 */
final class ServiceRow {
    /** Of no sequence: their partitions have a colon. */
    private static final String PARTITION = "~service";

    private static final String ROW = "maintenance";
    private static final String SINCE = "since";
    private static final String CREATION_CLOSED_AT = "creationClosedAt";
    private static final int MAX_TRIES = 20;

    /** All rows but this one, which no backup has. */
    static final String OTHERS = "PartitionKey ne '" + PARTITION + "'";

    private ServiceRow() {}

    static ServiceMark read(Table counters) {
        return mark(counters.find(PARTITION, ROW));
    }

    /** Changes it until the write is won; returns the mark as it is then. */
    static ServiceMark change(Table counters, UnaryOperator<ServiceMark> change) {
        return RetryPolicy.untilWon(Clock.SYSTEM, "The mark of the service", MAX_TRIES, () -> {
            Optional<StoredRow> row = counters.find(PARTITION, ROW);
            ServiceMark before = mark(row);
            ServiceMark after = change.apply(before);
            return after.equals(before) || write(counters, row, after).isWon() ? Optional.of(after) : Optional.empty();
        });
    }

    private static WriteResult write(Table counters, Optional<StoredRow> row, ServiceMark after) {
        TableEntity entity = new TableEntity(PARTITION, ROW)
                .addProperty(SINCE, text(after.suspendedAt()))
                .addProperty(CREATION_CLOSED_AT, text(after.creationClosedAt()));
        WriteResult result = row.isPresent() ? counters.change(entity, row.get().version()) : counters.insert(entity);
        result.requireKnown();
        return result;
    }

    private static String text(@Nullable Instant time) {
        return time == null ? "" : time.toString();
    }

    private static ServiceMark mark(Optional<StoredRow> row) {
        return row.map(there -> new ServiceMark(there.instantOrNull(SINCE), there.instantOrNull(CREATION_CLOSED_AT)))
                .orElse(ServiceMark.NONE);
    }
}
