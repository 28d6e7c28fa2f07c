package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.PassingImport;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.sequences.ledger.LedgerFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps allocations to their ledger rows and back. The format is a public contract, described in docs/tables.md.
 *
 * <p>Decision: {@code docs/decisions/one-ledger-row-for-a-group.md}.
 */
public final class LedgerRows {
    private static final String ALLOCATION = "allocation";
    private static final String ADVANCE = "advance";
    public static final String IMPORT = "import";
    /** Marks a range of skipped numbers that lies before the first imported number. */
    private static final String BEFORE_IMPORT = "beforeImport";

    /** The actor that set the present status, or that made an advance. */
    private static final String ACTOR = "actor";

    private static final String ALLOCATED_BY = "allocatedBy";
    private static final String ACTORS = "actors";
    public static final String OPERATION_ID = "operationId";
    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final int MAX_KIND_UNITS = 100;
    private static final int MAX_ENTRIES = Table.TRANSACTION_ROWS;

    private LedgerRows() {}

    /**
     * Returns the row that is found by the allocation's key.
     *
     * @param operationId of the write; a read that finds it in the row proves that the write was won
     */
    public static TableEntity byKey(String partition, Allocation allocation, String operationId) {
        return allocation(new TableEntity(partition, RowKeys.key(key(allocation))), allocation)
                .addProperty(OPERATION_ID, operationId);
    }

    /**
     * Returns the mark of an allocation: a copy of its row by key under a name in number order. Only reserved,
     * confirmed and void allocations have one.
     */
    public static TableEntity mark(String partition, Allocation allocation) {
        return allocation(new TableEntity(partition, RowKeys.mark(allocation)), allocation);
    }

    /** Returns the name of the mark that belongs to a row by key; empty if its numbers are simply issued. */
    public static Optional<String> markOf(StoredRow row) {
        return row.optional("status").isPresent() && status(row).isMarked()
                ? Optional.of(RowKeys.mark(fromKeyRow(row)))
                : Optional.empty();
    }

    /**
     * Returns the columns of the row by key that a new status changes. An unknown actor clears the column, so that the
     * previous actor is not shown for the new status.
     */
    static TableEntity status(String partition, Allocation allocation) {
        TableEntity row = new TableEntity(partition, RowKeys.key(key(allocation))).addProperty(ACTOR, "");
        return status(row, allocation.status());
    }

    private static String key(Allocation allocation) {
        return Objects.requireNonNull(allocation.key(), "Only allocations with a key are in the ledger.");
    }

    private static TableEntity allocation(TableEntity row, Allocation allocation) {
        row.addProperty("key", key(allocation))
                .addProperty("first", allocation.first())
                .addProperty("last", allocation.last())
                .addProperty("count", allocation.count())
                .addProperty("period", allocation.period())
                .addProperty("date", allocation.date().toString())
                .addProperty("formatRevision", allocation.formatRevision())
                .addProperty("allocatedAt", allocation.allocatedAt().toString());
        String text = allocation.firstText();
        if (text != null) {
            row.addProperty("text", text);
        }
        if (allocation.importId() != null) {
            row.addProperty(IMPORT, allocation.importId());
        }
        if (allocation.actor() != null) {
            row.addProperty(ALLOCATED_BY, allocation.actor());
        }
        return status(row, allocation.status());
    }

    private static TableEntity status(TableEntity row, Status status) {
        if (status.at() == null) {
            return row;
        }
        status.history().stream().filter(each -> !each.equals(status)).forEach(each -> replaced(row, each));
        row.addProperty("status", EnumWord.of(status.kind()))
                .addProperty("statusAt", status.at().toString());
        if (status.reason() != null) {
            row.addProperty("reason", status.reason());
        }
        return status.actor() == null ? row : row.addProperty(ACTOR, status.actor());
    }

    private static void replaced(TableEntity row, Status status) {
        row.addProperty(replacedAt(status.kind()), String.valueOf(status.at()));
        if (status.actor() != null) {
            row.addProperty(replacedBy(status.kind()), status.actor());
        }
    }

    /**
     * Returns the column with the time of a replaced status: reservedAt or issuedAt. A void status is never replaced.
     */
    private static String replacedAt(Status.Kind kind) {
        return EnumWord.of(kind) + "At";
    }

    /** Returns the column with the actor of a replaced status. */
    private static String replacedBy(Status.Kind kind) {
        return EnumWord.of(kind) + "By";
    }

    /** Returns the filter for marks of one status. */
    static String is(Status.Kind status) {
        return "status eq '" + EnumWord.of(status) + "'";
    }

    /**
     * Returns the table filter for allocations with the requested document dates, to append to another filter. Text
     * order is the order of dates.
     */
    static String haveDates(LedgerFilter wanted) {
        return (wanted.dateFrom() == null
                        ? ""
                        : " and date ge " + Table.quoted(wanted.dateFrom().toString()))
                + (wanted.dateTo() == null
                        ? ""
                        : " and date le " + Table.quoted(wanted.dateTo().toString()));
    }

    private static Status status(StoredRow row) {
        Status last = StoredRow.status(
                row.optional("status"), row.string("statusAt"), row.string("reason"), actor(row, ACTOR));
        Status before = null;
        for (Status.Kind kind : List.of(Status.Kind.RESERVED, Status.Kind.ISSUED)) {
            String at = replacedAt(kind);
            if (kind != last.kind() && row.optional(at).isPresent()) {
                before = new Status(kind, null, actor(row, replacedBy(kind)), row.instant(at), before);
            }
        }
        return before == null ? last : last.after(before);
    }

    /** Reads a row by key. */
    public static Allocation fromKeyRow(StoredRow row) {
        Allocation allocation = allocation(row);
        row.requireName(RowKeys.key(key(allocation)), "key");
        return allocation;
    }

    /** Reads a mark. */
    static Allocation fromMark(StoredRow row) {
        Allocation allocation = allocation(row);
        row.requireName(RowKeys.mark(allocation), "period, first or last");
        return allocation;
    }

    private static Allocation allocation(StoredRow row) {
        long first = number(row, FIRST);
        int count = row.int32("count", 1, NumberRequest.MAX_COUNT);
        StoredRow.requireSeries(first, row.int64(LAST), count);
        int revision = revision(row);
        return new Allocation(
                StoredRow.key(row.string("key")),
                first,
                number(row, LAST),
                count,
                StoredRow.period(row.string("period")),
                row.string("date").date(),
                text(row, revision),
                revision,
                row.instant("allocatedAt"),
                true,
                status(row),
                importId(row),
                row.optional(OPERATION_ID).map(StoredRow::id).orElse(null),
                actor(row, ALLOCATED_BY));
    }

    private static @Nullable String text(StoredRow row, int revision) {
        if (revision > 0) {
            return StoredRow.text(row.string("text"));
        }
        if (row.optional("text").isPresent()) {
            throw row.wrong("text or formatRevision", "is wrong: text is set, but formatRevision names no format");
        }
        return null;
    }

    private static long number(StoredRow row, String property) {
        return StoredRow.number(row.int64(property));
    }

    private static int revision(StoredRow row) {
        return row.int32("formatRevision", 0, FormatHistory.MAX_REVISIONS);
    }

    private static @Nullable String actor(StoredRow row, String property) {
        return row.optional(property).map(StoredRow::actor).orElse(null);
    }

    private static @Nullable String importId(StoredRow row) {
        return row.optional(IMPORT).map(StoredRow::id).orElse(null);
    }

    /** Returns the row in number order, of a group of allocations or of an advance. */
    static TableEntity byNumber(CounterId id, LedgerRow row) {
        return row.isAdvance() ? advance(id, row) : allocations(id, row);
    }

    private static TableEntity allocations(CounterId id, LedgerRow row) {
        ArrayNode entries = Json.array();
        ArrayNode actors = Json.array();
        for (Allocation allocation : row.allocations()) {
            entries.addArray()
                    .add(allocation.key())
                    .add(allocation.first())
                    .add(allocation.last())
                    .add(allocation.count())
                    .add(allocation.date().toString());
            actors.add(allocation.actor());
        }
        Allocation first = row.allocations().get(0);
        String importId = first.importId();
        TableEntity entity = entity(id, importId == null ? ALLOCATION : IMPORT, row)
                .addProperty("formatRevision", first.formatRevision())
                .addProperty("entries", entries.toString());
        if (row.allocations().stream().anyMatch(allocation -> allocation.actor() != null)) {
            entity.addProperty(ACTORS, actors.toString());
        }
        return importId == null ? entity : entity.addProperty(IMPORT, importId);
    }

    private static TableEntity advance(CounterId id, LedgerRow row) {
        TableEntity entity = entity(id, ADVANCE, row);
        PassingImport passing = row.passing();
        put(entity, row, ACTOR, row.note().actor());
        put(entity, row, "reason", row.note().reason());
        put(entity, row, IMPORT, passing == null || passing.isBefore() ? null : passing.id());
        put(entity, row, BEFORE_IMPORT, passing == null || !passing.isBefore() ? null : passing.id());
        return entity;
    }

    /**
     * Sets a column of an advance. Without a value it clears the column of a row that exists, because a merge removes
     * no column.
     */
    private static void put(TableEntity entity, LedgerRow row, String property, @Nullable String value) {
        if (value != null || row.version() != null) {
            entity.addProperty(property, value == null ? "" : value);
        }
    }

    /** Returns an entity with only the name of a row in number order. */
    static TableEntity at(CounterId id, long highest) {
        return new TableEntity(RowKeys.partition(id.sequence()), RowKeys.number(id.period(), highest));
    }

    private static TableEntity entity(CounterId id, String kind, LedgerRow row) {
        return at(id, row.highest())
                .addProperty("kind", kind)
                .addProperty("first", row.first())
                .addProperty("last", row.last())
                .addProperty("period", id.period())
                .addProperty("allocatedAt", row.allocatedAt().toString());
    }

    static LedgerRow fromNumberRow(StoredRow row) {
        boolean isAdvance = row.text("kind", 1, MAX_KIND_UNITS).equals(ADVANCE);
        String period = StoredRow.period(row.string("period"));
        long limit = isAdvance ? StoredRow.LARGEST_NEXT : Series.LARGEST_VALUE;
        long first = row.int64(FIRST, -limit, limit);
        long last = row.int64(LAST, -limit, limit);
        row.requireName(RowKeys.number(period, Math.max(first, last)), "period, first or last");
        String reason = row.optional("reason").map(StoredRow::note).orElse(null);
        return new LedgerRow(
                first,
                last,
                row.instant("allocatedAt"),
                isAdvance ? List.of() : allocations(row, period, first, last),
                isAdvance ? new ChangeNote(actor(row, ACTOR), reason) : ChangeNote.NONE,
                isAdvance ? passing(row) : null,
                row.version());
    }

    private static @Nullable PassingImport passing(StoredRow row) {
        String left = importId(row);
        if (left != null) {
            return new PassingImport(left, false);
        }
        return row.optional(BEFORE_IMPORT)
                .map(id -> new PassingImport(StoredRow.id(id), true))
                .orElse(null);
    }

    /**
     * Reads the allocations of a group. They must follow each other in one direction and lead from the row's first
     * number to its last.
     */
    private static List<Allocation> allocations(StoredRow row, String period, long first, long last) {
        Checked json = row.json("entries");
        int revision = revision(row);
        Instant allocatedAt = row.instant("allocatedAt");
        String importId = importId(row);
        List<Checked> elements = json.elements(1, MAX_ENTRIES);
        List<@Nullable String> actors = actors(row, elements.size());
        List<Allocation> allocations = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (Checked element : elements) {
            List<Checked> entry = element.elements(5, 5);
            String key = StoredRow.key(entry.get(0));
            long begin = StoredRow.number(entry.get(1));
            int count = StoredRow.count(entry.get(3));
            StoredRow.requireSeries(begin, entry.get(2), count);
            if (!keys.add(key)) {
                throw entry.get(0).refused("must be another key than those before it");
            }
            allocations.add(new Allocation(
                    key,
                    begin,
                    StoredRow.number(entry.get(2)),
                    count,
                    period,
                    entry.get(4).date(),
                    null,
                    revision,
                    allocatedAt,
                    true,
                    Status.SIMPLY_ISSUED,
                    importId,
                    null,
                    actors.get(allocations.size())));
        }
        requireInOrder(json, allocations, first, last);
        return allocations;
    }

    /**
     * Reads the actor of each entry, null if unknown. A row without known actors, or from an earlier release, has no
     * such column.
     */
    private static List<@Nullable String> actors(StoredRow row, int entries) {
        return row.optional(ACTORS).isEmpty()
                ? Collections.nCopies(entries, null)
                : actors(row.json(ACTORS).elements(entries, entries));
    }

    private static List<@Nullable String> actors(List<Checked> json) {
        List<@Nullable String> actors = new ArrayList<>(json.size());
        json.forEach(actor -> actors.add(actor.isNull() ? null : StoredRow.actor(actor)));
        return actors;
    }

    private static void requireInOrder(Checked json, List<Allocation> allocations, long first, long last) {
        int direction = Long.compare(last, first);
        boolean isInOrder = allocations.get(0).first() == first
                && allocations.get(allocations.size() - 1).last() == last;
        Long before = null;
        for (Allocation allocation : allocations) {
            isInOrder &= (before == null || Long.compare(allocation.first(), before) == direction)
                    && (allocation.count() == 1 || Long.compare(allocation.last(), allocation.first()) == direction);
            before = allocation.last();
        }
        if (!isInOrder) {
            throw json.refused("must lead from " + first + " to " + last + ", each entry after the one before");
        }
    }
}
