package dev.numera.azure;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.numera.core.retry.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A table in memory that checks the conditions of writes. Filters are limited to those of the app: comparisons joined
 * by "and". A test can run an action before each request.
 */
final class RowsInMemory {
    static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private final TreeMap<String, TableEntity> rows = new TreeMap<>();
    private Runnable beforeRequest = () -> {};
    private Instant readAt = Instant.EPOCH;
    private int versions;

    /** Returns a store of uploads in this table. */
    TableUploadStore uploads() {
        return new TableUploadStore(table(), new ParallelReads(THREADS));
    }

    /** Returns the service's marks, stored in this table only. */
    MaintenanceMarks marks() {
        return new MaintenanceMarks(List.of(table()), new ParallelReads(THREADS), () -> mock());
    }

    Table table() {
        Table table = mock();
        when(table.find(anyString(), anyString())).thenAnswer(call -> {
            beforeRequest.run();
            return Optional.ofNullable(rows.get(key(call.getArgument(0), call.getArgument(1))))
                    .map(RowsInMemory::read);
        });
        when(table.first(any(), anyInt())).thenAnswer(call -> {
            beforeRequest.run();
            String filter = call.getArgument(0);
            return (filter == null ? List.copyOf(rows.values()) : matching(filter))
                    .stream()
                            .limit(call.<Integer>getArgument(1))
                            .map(RowsInMemory::read)
                            .toList();
        });
        when(table.all(anyString())).thenAnswer(call -> {
            beforeRequest.run();
            return matching(call.getArgument(0)).stream()
                    .map(RowsInMemory::read)
                    .toList();
        });
        when(table.dated(anyString())).thenAnswer(call -> {
            beforeRequest.run();
            List<StoredRow> found = matching(call.getArgument(0)).stream()
                    .map(RowsInMemory::read)
                    .toList();
            return new Table.Page(found, null, readAt);
        });
        when(table.list(any(), anyInt(), any())).thenAnswer(call -> {
            beforeRequest.run();
            String filter = call.getArgument(0);
            List<StoredRow> found = (filter == null ? List.copyOf(rows.values()) : matching(filter))
                    .stream()
                            .limit(call.<Integer>getArgument(1))
                            .map(RowsInMemory::read)
                            .toList();
            return new Table.Page(found, null, readAt);
        });
        when(table.insert(any())).thenAnswer(call -> transact(List.of(Table.inserting(call.getArgument(0)))));
        when(table.change(any(), anyString()))
                .thenAnswer(call -> transact(List.of(Table.changing(call.getArgument(0), call.getArgument(1)))));
        when(table.transact(any())).thenAnswer(call -> transact(call.getArgument(0)));
        when(table.isThere()).thenReturn(true);
        doAnswer(call -> {
                    beforeRequest.run();
                    matching(call.getArgument(0))
                            .forEach(row -> rows.remove(key(row.getPartitionKey(), row.getRowKey())));
                    return null;
                })
                .when(table)
                .deleteAll(anyString());
        return table;
    }

    void beforeEachRequest(Runnable action) {
        beforeRequest = action;
    }

    /** Sets the service's time for all later queries. */
    void answersAt(Instant moment) {
        readAt = moment;
    }

    /** Returns copies of the rows that match a filter. */
    List<TableEntity> rows(String filter) {
        return matching(filter).stream().map(RowsInMemory::copy).toList();
    }

    void put(TableEntity row) {
        rows.put(key(row.getPartitionKey(), row.getRowKey()), stamped(row));
    }

    private WriteResult transact(List<TableTransactionAction> actions) {
        beforeRequest.run();
        for (TableTransactionAction action : actions) {
            TableEntity row = action.getEntity();
            TableEntity found = rows.get(key(row.getPartitionKey(), row.getRowKey()));
            if (action.getActionType() == TableTransactionActionType.CREATE && found != null) {
                return WriteResult.Refused.EXISTS;
            }
            if (action.getIfUnchanged() && (found == null || !found.getETag().equals(row.getETag()))) {
                return WriteResult.Refused.CHANGED;
            }
        }
        for (TableTransactionAction action : actions) {
            if (action.getActionType() == TableTransactionActionType.DELETE) {
                rows.remove(key(
                        action.getEntity().getPartitionKey(), action.getEntity().getRowKey()));
            } else {
                put(after(action));
            }
        }
        return new WriteResult.Won(null);
    }

    private TableEntity after(TableTransactionAction action) {
        TableEntity sent = action.getEntity();
        if (action.getActionType() != TableTransactionActionType.UPDATE_MERGE) {
            return copy(sent);
        }
        TableEntity merged = copy(rows.get(key(sent.getPartitionKey(), sent.getRowKey())));
        sent.getProperties().forEach(merged::addProperty);
        return merged;
    }

    private List<TableEntity> matching(String filter) {
        return rows.values().stream()
                .filter(row -> List.of(filter.split(" and ")).stream().allMatch(term -> meets(row, term)))
                .toList();
    }

    private static boolean meets(TableEntity row, String term) {
        String[] parts = term.split(" ", 3);
        if (!(row.getProperty(parts[0]) instanceof String value)) {
            return false;
        }
        int order = value.compareTo(parts[2].substring(1, parts[2].length() - 1));
        return switch (parts[1]) {
            case "eq" -> order == 0;
            case "ne" -> order != 0;
            case "lt" -> order < 0;
            case "ge" -> order >= 0;
            case "le" -> order <= 0;
            default -> throw new IllegalArgumentException(term);
        };
    }

    private TableEntity stamped(TableEntity row) {
        versions++;
        return row.addProperty("odata.etag", "W/\"" + versions + "\"");
    }

    private static StoredRow read(TableEntity row) {
        return new StoredRow("table", copy(row));
    }

    private static TableEntity copy(TableEntity row) {
        TableEntity copy = new TableEntity(row.getPartitionKey(), row.getRowKey());
        row.getProperties().forEach(copy::addProperty);
        return copy;
    }

    private static String key(String partition, String row) {
        return partition + "\n" + row;
    }
}
