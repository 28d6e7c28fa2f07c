package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterState;
import dev.numera.counter.ImportedRows;
import dev.numera.counter.KeyStatus;
import dev.numera.counter.LedgerRow;
import dev.numera.counter.Outcome;
import dev.numera.problem.Word;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How allocations stand in the ledger: a public contract, described in docs/tables.md. */
final class LedgerRows {
    private static final String ALLOCATION = "allocation";
    private static final String ADVANCE = "advance";
    private static final String IMPORT = "import";
    private static final String ACTOR = "actor";
    private static final String OPERATION_ID = "operationId";
    private static final ObjectMapper JSON = new ObjectMapper();

    private LedgerRows() {}

    /**
     * One row by key.
     *
     * @param operationId of the write, which the row proves to have won
     */
    static TableEntity byKey(String partition, Outcome.Allocation allocation, String operationId) {
        return allocation(new TableEntity(partition, RowKeys.key(key(allocation))), allocation)
                .addProperty(OPERATION_ID, operationId);
    }

    /** The same in number order, for what is not simply issued. */
    static TableEntity mark(String partition, Outcome.Allocation allocation) {
        return allocation(new TableEntity(partition, RowKeys.mark(allocation)), allocation);
    }

    /** The name of the mark that stands beside a row by key; empty where its numbers are simply issued. */
    static Optional<String> markOf(StoredRow row) {
        return status(row).isMarked() ? Optional.of(RowKeys.mark(fromKeyRow(row))) : Optional.empty();
    }

    /** What changes in the row by key when something is said of its numbers: nobody, too, replaces who was named. */
    static TableEntity status(String partition, Outcome.Allocation allocation) {
        TableEntity row = new TableEntity(partition, RowKeys.key(key(allocation))).addProperty(ACTOR, "");
        return status(row, allocation.status());
    }

    private static String key(Outcome.Allocation allocation) {
        return Objects.requireNonNull(allocation.key(), "Only what has a key stands in the ledger.");
    }

    private static TableEntity allocation(TableEntity row, Outcome.Allocation allocation) {
        row.addProperty("key", key(allocation))
                .addProperty("first", allocation.first())
                .addProperty("last", allocation.last())
                .addProperty("count", allocation.count())
                .addProperty("period", allocation.period())
                .addProperty("date", allocation.date().toString())
                .addProperty("formatRevision", allocation.formatRevision())
                .addProperty("allocatedAt", allocation.allocatedAt().toString());
        if (allocation.firstText() != null) {
            row.addProperty("text", allocation.firstText());
        }
        if (allocation.importId() != null) {
            row.addProperty(IMPORT, allocation.importId());
        }
        return status(row, allocation.status());
    }

    private static TableEntity status(TableEntity row, KeyStatus status) {
        status.fields().forEach(row::addProperty);
        return status.actor() == null ? row : row.addProperty(ACTOR, status.actor());
    }

    /** What a query for marks of one status looks for. */
    static String is(KeyStatus.Status status) {
        return "status eq '" + Word.of(status) + "'";
    }

    private static KeyStatus status(StoredRow row) {
        return row.textOrNull("status") == null
                ? KeyStatus.SIMPLY_ISSUED
                : new KeyStatus(
                        row.choice("status", KeyStatus.Status.class),
                        row.textOrNull("reason"),
                        row.textOrNull(ACTOR),
                        row.instant("statusAt"));
    }

    /** Of a row by key, or of a mark. */
    static Outcome.Allocation fromKeyRow(StoredRow row) {
        return new Outcome.Allocation(
                row.text("key"),
                row.int64("first"),
                row.int64("last"),
                row.int32("count"),
                row.text("period"),
                row.date("date"),
                row.textOrNull("text"),
                row.int32("formatRevision"),
                row.instant("allocatedAt"),
                true,
                status(row),
                row.textOrNull(IMPORT),
                row.textOrNull(OPERATION_ID));
    }

    /** The one row in number order for what a write adds. */
    static TableEntity byNumber(CounterId id, CounterState after, Outcome.LedgerAddition added) {
        return added.advanced() == null
                ? allocations(id, after, added.allocations())
                : advance(id, after.changedAt(), added.advanced());
    }

    /** The row in number order for imported numbers. */
    static TableEntity run(CounterId id, CounterState after, ImportedRows.Run run) {
        return allocations(id, after, run.numbers());
    }

    /** The row in number order for numbers that an import passes over, or leaves passed over. */
    static TableEntity passed(CounterId id, ImportedRows.Passed passed) {
        return advance(id, passed.at(), passed.first(), passed.last(), passed.reason());
    }

    private static TableEntity allocations(CounterId id, CounterState after, List<Outcome.Allocation> allocations) {
        Outcome.Allocation first = allocations.get(0);
        Outcome.Allocation last = allocations.get(allocations.size() - 1);
        ArrayNode entries = JSON.createArrayNode();
        for (Outcome.Allocation allocation : allocations) {
            entries.addArray()
                    .add(allocation.key())
                    .add(allocation.first())
                    .add(allocation.last())
                    .add(allocation.count())
                    .add(allocation.date().toString());
        }
        String importId = first.importId();
        TableEntity row = row(id, after.changedAt(), importId == null ? ALLOCATION : IMPORT, first.first(), last.last())
                .addProperty("formatRevision", first.formatRevision())
                .addProperty("entries", entries.toString());
        return importId == null ? row : row.addProperty(IMPORT, importId);
    }

    /** The range that was passed over, from the number that was next to the last one before the new next. */
    private static TableEntity advance(CounterId id, Instant at, Outcome.Advanced advanced) {
        return advance(
                id,
                at,
                advanced.previousNext(),
                advanced.lastPassed(),
                advanced.note().reason());
    }

    private static TableEntity advance(CounterId id, Instant at, long first, long last, @Nullable String reason) {
        TableEntity row = row(id, at, ADVANCE, first, last);
        return reason == null ? row : row.addProperty("reason", reason);
    }

    /** The name of a row in number order. */
    static TableEntity at(CounterId id, long highest) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.number(id.period(), highest));
    }

    private static TableEntity row(CounterId id, Instant at, String kind, long first, long last) {
        return at(id, Math.max(first, last))
                .addProperty("kind", kind)
                .addProperty("first", first)
                .addProperty("last", last)
                .addProperty("period", id.period())
                .addProperty("allocatedAt", at.toString());
    }

    static LedgerRow fromNumberRow(StoredRow row) {
        return new LedgerRow(
                row.int64("first"),
                row.int64("last"),
                row.instant("allocatedAt"),
                row.text("kind").equals(ADVANCE) ? List.of() : allocations(row),
                row.textOrNull("reason"),
                row.version());
    }

    private static List<Outcome.Allocation> allocations(StoredRow row) {
        List<Outcome.Allocation> allocations = new ArrayList<>();
        for (JsonNode entry : row.json("entries")) {
            allocations.add(allocation(row, entry));
        }
        return allocations;
    }

    private static Outcome.Allocation allocation(StoredRow row, JsonNode entry) {
        try {
            return new Outcome.Allocation(
                    entry.required(0).textValue(),
                    entry.required(1).longValue(),
                    entry.required(2).longValue(),
                    entry.required(3).intValue(),
                    row.text("period"),
                    LocalDate.parse(entry.required(4).textValue()),
                    null,
                    row.int32("formatRevision"),
                    row.instant("allocatedAt"),
                    true,
                    KeyStatus.SIMPLY_ISSUED,
                    row.textOrNull(IMPORT));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw row.unreadable("its property entries holds " + entry, e);
        }
    }
}
