package dev.numera.fault;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.azure.TableNames;
import dev.numera.core.model.SequenceName;
import dev.numera.maintain.history.LedgerEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables as any other program sees them, through the service's own client and without the app's code. Thread-safe.
 */
final class RawTables {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TableServiceClient service;
    private final TableClient counters;

    RawTables(String connectionString) {
        this.service = new TableServiceClientBuilder()
                .connectionString(connectionString)
                .buildClient();
        this.counters = service.getTableClient(TableNames.COUNTERS);
    }

    /** Returns all rows of a sequence's partition: definition, counters and ledger. */
    List<TableEntity> rows(SequenceName sequence) {
        ListEntitiesOptions own = new ListEntitiesOptions().setFilter("PartitionKey eq '" + partition(sequence) + "'");
        return counters.listEntities(own, null, null).stream().toList();
    }

    /** Writes the rows of the copy over the sequence's current rows. */
    void putBack(List<TableEntity> copy) {
        copy.forEach(counters::upsertEntity);
    }

    /** Deletes all rows of a sequence's partition. */
    void empty(SequenceName sequence) {
        rows(sequence).forEach(counters::deleteEntity);
    }

    TableEntity definition(SequenceName sequence) {
        return counters.getEntity(partition(sequence), "definition");
    }

    void delete(String table) {
        service.deleteTable(table);
    }

    void create(String table) {
        service.createTableIfNotExists(table);
    }

    /**
     * Returns the ledger of a sequence's period in number order.
     *
     * @param period empty for a sequence that never resets
     * @throws AssertionError if the rows by key contradict the rows by number, or the marks
     */
    List<LedgerEntry> ledger(SequenceName sequence, String period) {
        List<LedgerEntry> byNumber = new ArrayList<>();
        Map<String, LedgerEntry> byKey = new HashMap<>();
        Map<String, String> reservedOrVoid = new HashMap<>();
        Map<String, String> marked = new HashMap<>();
        for (TableEntity row : rows(sequence)) {
            if (row.getRowKey().startsWith("number:" + period + ":")) {
                byNumber.addAll(entries(row));
            } else if (row.getRowKey().startsWith("key:")
                    && row.getProperty("period").equals(period)) {
                byKey.put((String) row.getProperty("key"), keyEntry(row));
                reservedOrVoid.put(markOf(keyEntry(row), period), (String) row.getProperty("status"));
            } else if (row.getRowKey().startsWith("mark:" + period + ":")) {
                marked.put(row.getRowKey(), (String) row.getProperty("status"));
            }
        }
        requireSame(byNumber, byKey);
        reservedOrVoid.values().removeIf(status -> status == null || status.equals("issued"));
        if (!marked.equals(reservedOrVoid)) {
            throw new AssertionError("By key are reserved or void " + reservedOrVoid + ", but marked are " + marked);
        }
        return byNumber;
    }

    private static String markOf(LedgerEntry entry, String period) {
        return "mark:" + period + ":" + (Math.max(entry.first(), entry.last()) + 5_000_000_000_000_000_000L);
    }

    private static void requireSame(List<LedgerEntry> byNumber, Map<String, LedgerEntry> byKey) {
        List<LedgerEntry> allocations = byNumber.stream()
                .filter(entry -> entry.kind() == LedgerEntry.EntryKind.ALLOCATION)
                .toList();
        for (LedgerEntry entry : allocations) {
            if (!entry.equals(byKey.get(entry.key()))) {
                throw new AssertionError("By number the ledger holds " + entry + ", by key " + byKey.get(entry.key()));
            }
        }
        if (allocations.size() != byKey.size()) {
            throw new AssertionError("The ledger has " + byKey.size() + " rows by key, and " + allocations.size()
                    + " entries by number");
        }
    }

    private static LedgerEntry keyEntry(TableEntity row) {
        return new LedgerEntry(
                LedgerEntry.EntryKind.ALLOCATION,
                (String) row.getProperty("key"),
                (Long) row.getProperty("first"),
                (Long) row.getProperty("last"),
                (Integer) row.getProperty("count"));
    }

    private static List<LedgerEntry> entries(TableEntity row) {
        long first = (Long) row.getProperty("first");
        long last = (Long) row.getProperty("last");
        if (row.getProperty("kind").equals("advance")) {
            return List.of(new LedgerEntry(LedgerEntry.EntryKind.ADVANCE, null, first, last, last - first + 1));
        }
        List<LedgerEntry> entries = new ArrayList<>();
        for (JsonNode entry : json((String) row.getProperty("entries"))) {
            entries.add(new LedgerEntry(
                    LedgerEntry.EntryKind.ALLOCATION,
                    entry.get(0).textValue(),
                    entry.get(1).longValue(),
                    entry.get(2).longValue(),
                    entry.get(3).longValue()));
        }
        return entries;
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("The ledger holds no JSON: " + text, e);
        }
    }

    private static String partition(SequenceName sequence) {
        return sequence.scope() + ":" + sequence.name();
    }
}
