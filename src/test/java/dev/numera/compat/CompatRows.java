package dev.numera.compat;

import com.azure.core.http.policy.HttpLogOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies tables to and from the files of {@code src/test/compat}, which are JSON Lines with one row each:
 * {@code {"table", "partitionKey", "rowKey", "properties": {name: {"type", "value"}}}}. Types have the names of the
 * table service. A 64-bit number is a string, so that every reader gets it exactly.
 */
final class CompatRows {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");
    private static final int ROWS_PER_TRANSACTION = 100;
    /**
     * Characters per transaction, well below its limit of 4 MiB: a character can take three bytes, and a quote needs a
     * backslash.
     */
    private static final int UNITS_PER_TRANSACTION = 1_000_000;
    /**
     * The parts of the copy, in the reverse order of the app's writes, so that a copy made during writes stays
     * consistent: its counters are never behind its ledger or newer than the mark of their definition, and it has every
     * definition that its index names. Peer requests are omitted, because they would be answered again after a restore.
     * So are the leases of worker numbers, whose owners no longer exist.
     */
    private static final List<TableRows> PARTS = List.of(
            new TableRows(
                    TableNames.COUNTERS,
                    "PartitionKey ne '~workers' and (RowKey lt 'counter'"
                            + " or (RowKey ge 'counter;' and RowKey lt 'peer:' and RowKey ne 'definition')"
                            + " or RowKey ge 'peer;')"),
            new TableRows(TableNames.COUNTERS, "RowKey ge 'counter' and RowKey lt 'counter;'"),
            new TableRows(TableNames.COUNTERS, "RowKey eq 'definition'"),
            new TableRows(TableNames.SEQUENCES, null),
            new TableRows(TableNames.BATCHES, null));

    private record TableRows(String table, String filter) {}

    private final TableServiceClient tables;

    CompatRows(StorageConnection connection) {
        this.tables = connection
                .connect(StorageConnection.Service.TABLES, new TableServiceClientBuilder())
                .httpLogOptions(new HttpLogOptions())
                .buildClient();
    }

    /**
     * Writes every row to a new file and returns the number of rows.
     *
     * @throws IOException if the file exists
     */
    long exportTo(Path file) throws IOException {
        long rows = 0;
        try (BufferedWriter lines = Files.newBufferedWriter(Files.createFile(file))) {
            for (TableRows part : PARTS) {
                ListEntitiesOptions options = new ListEntitiesOptions().setFilter(part.filter());
                for (TableEntity row : tables.getTableClient(part.table()).listEntities(options, null, null)) {
                    lines.write(line(part.table(), row));
                    lines.newLine();
                    rows++;
                }
            }
        }
        return rows;
    }

    /**
     * Inserts every row of the file into the tables and returns the number of rows.
     *
     * @throws IllegalStateException if the tables contain rows, because newer rows would mix with those of the file
     */
    long importFrom(Path file) throws IOException {
        TableNames.ALL.forEach(tables::createTableIfNotExists);
        TableNames.ALL.forEach(this::requireEmpty);
        long rows = 0;
        long units = 0;
        List<TableTransactionAction> together = new ArrayList<>();
        String table = null;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                rows++;
                JsonNode json = parse(line, file, rows);
                TableEntity row = row(json);
                boolean isFull = units + line.length() > UNITS_PER_TRANSACTION;
                if (!together.isEmpty()
                        && (isFull || !json.get("table").textValue().equals(table) || isElsewhere(row, together))) {
                    submit(table, together);
                    units = 0;
                }
                units += line.length();
                table = json.get("table").textValue();
                together.add(new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, row));
            }
        }
        if (!together.isEmpty()) {
            submit(table, together);
        }
        return rows;
    }

    private static boolean isElsewhere(TableEntity row, List<TableTransactionAction> together) {
        return together.size() == ROWS_PER_TRANSACTION
                || !together.get(0).getEntity().getPartitionKey().equals(row.getPartitionKey());
    }

    private void requireEmpty(String table) {
        if (tables.getTableClient(table)
                .listEntities(new ListEntitiesOptions().setTop(1), null, null)
                .iterator()
                .hasNext()) {
            throw new IllegalStateException("The table " + table + " is not empty. Import into an account without "
                    + TableNames.ALL + ", or delete these tables first and wait a minute.");
        }
    }

    private void submit(String table, List<TableTransactionAction> together) {
        if (!TableNames.ALL.contains(table)) {
            throw new IllegalArgumentException(
                    "The file has rows of a table " + table + ", which is none of " + TableNames.ALL + ".");
        }
        TableClient client = tables.getTableClient(table);
        client.submitTransaction(together);
        together.clear();
    }

    private static String line(String table, TableEntity row) {
        ObjectNode json = JSON.createObjectNode()
                .put("table", table)
                .put("partitionKey", row.getPartitionKey())
                .put("rowKey", row.getRowKey());
        ObjectNode properties = json.putObject("properties");
        for (Map.Entry<String, Object> property : row.getProperties().entrySet()) {
            String name = property.getKey();
            boolean isAnnotation = name.startsWith("odata.") || name.contains("@");
            if (!SYSTEM_PROPERTIES.contains(name) && !isAnnotation) {
                properties
                        .putObject(name)
                        .put("type", type(property.getValue()))
                        .put("value", property.getValue().toString());
            }
        }
        return json.toString();
    }

    private static JsonNode parse(String line, Path file, long number) throws IOException {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "Line " + number + " of " + file
                            + " is not JSON; the lines before it may be in the tables already.",
                    e);
        }
    }

    private static TableEntity row(JsonNode json) {
        TableEntity row = new TableEntity(
                json.get("partitionKey").textValue(), json.get("rowKey").textValue());
        json.get("properties")
                .fields()
                .forEachRemaining(property -> row.addProperty(
                        property.getKey(),
                        value(
                                property.getValue().get("type").textValue(),
                                property.getValue().get("value").textValue())));
        return row;
    }

    private static String type(Object value) {
        if (value instanceof Long) {
            return "Edm.Int64";
        }
        if (value instanceof Integer) {
            return "Edm.Int32";
        }
        if (value instanceof Boolean) {
            return "Edm.Boolean";
        }
        if (value instanceof String) {
            return "Edm.String";
        }
        throw new IllegalStateException(
                "Another program wrote a " + value.getClass().getSimpleName() + ", which Numera's tables do not hold.");
    }

    private static Object value(String type, String text) {
        return switch (type) {
            case "Edm.Int64" -> Long.valueOf(text);
            case "Edm.Int32" -> Integer.valueOf(text);
            case "Edm.Boolean" -> Boolean.valueOf(text);
            case "Edm.String" -> text;
            default -> throw new IllegalArgumentException("Unknown type " + type + " in the file.");
        };
    }
}
