package dev.numera.azure.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.json.Json;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A row of a table. In a backup it is a line with {@code {"table", "partitionKey", "rowKey", "properties": {name:
 * value}}}. Strings, booleans and 32-bit integers are written as JSON has them. A 64-bit integer is {@code {"int64":
 * "42"}}: a string, so that every reader gets the exact value, in an object, so that no reader takes it for a string
 * property. Immutable.
 *
 * @param properties by their names; each value is a {@code String}, {@code Boolean}, {@code Integer} or {@code Long}
 */
public record BackupRow(String table, String partitionKey, String rowKey, SortedMap<String, Object> properties) {
    private static final String INT64 = "int64";

    public BackupRow {
        properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    /** Returns this row with other properties. */
    public BackupRow with(SortedMap<String, Object> others) {
        return new BackupRow(table, partitionKey, rowKey, others);
    }

    /** The same row with another value of a property, or with one property more. */
    public BackupRow with(String property, Object value) {
        SortedMap<String, Object> others = new TreeMap<>(properties);
        others.put(property, value);
        return with(others);
    }

    /** The same row without a property. */
    BackupRow without(String property) {
        if (!properties.containsKey(property)) {
            return this;
        }
        SortedMap<String, Object> others = new TreeMap<>(properties);
        others.remove(property);
        return with(others);
    }

    /** Returns about how many characters the row has. Every value except a string counts as eight. */
    public long units() {
        long units = partitionKey.length();
        units += rowKey.length();
        for (var property : properties.entrySet()) {
            units += property.getKey().length();
            units += property.getValue() instanceof String text ? text.length() : Long.BYTES;
        }
        return units;
    }

    /**
     * Returns the line of this row.
     *
     * @throws IllegalArgumentException a property has a value of another type
     */
    ObjectNode json() {
        ObjectNode json = Json.object()
                .put("table", table)
                .put("partitionKey", partitionKey)
                .put("rowKey", rowKey);
        ObjectNode values = json.putObject("properties");
        properties.forEach((name, value) -> put(values, name, value));
        return json;
    }

    private void put(ObjectNode values, String name, Object value) {
        if (value instanceof String text) {
            values.put(name, text);
        } else if (value instanceof Boolean truth) {
            values.put(name, truth);
        } else if (value instanceof Integer number) {
            values.put(name, number);
        } else if (value instanceof Long number) {
            values.putObject(name).put(INT64, number.toString());
        } else {
            throw new IllegalArgumentException("The property " + name + " of the row " + rowKey + " of " + partitionKey
                    + " in table " + table + " has the type " + value.getClass().getSimpleName()
                    + ", which Numera never writes. Another program wrote it: remove the property.");
        }
    }

    /**
     * Reads the line of a row.
     *
     * @throws IllegalArgumentException the line is not a row; the message names the reason
     */
    public static BackupRow read(JsonNode json) {
        SortedMap<String, Object> properties = new TreeMap<>();
        JsonNode members = json.path("properties");
        require(members.isObject(), "its properties are no object");
        for (Map.Entry<String, JsonNode> property : members.properties()) {
            properties.put(property.getKey(), value(property.getKey(), property.getValue()));
        }
        return new BackupRow(text(json, "table"), text(json, "partitionKey"), text(json, "rowKey"), properties);
    }

    private static Object value(String name, JsonNode json) {
        if (json.isTextual()) {
            return json.textValue();
        }
        if (json.isBoolean()) {
            return json.booleanValue();
        }
        if (json.isInt()) {
            return json.intValue();
        }
        JsonNode int64 = json.path(INT64);
        require(json.size() == 1 && int64.isTextual(), "its property " + name + " has a value of no known kind");
        try {
            return Long.valueOf(int64.textValue());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("its property " + name + " is no number of 64 bits", e);
        }
    }

    private static String text(JsonNode json, String member) {
        JsonNode text = json.path(member);
        require(text.isTextual(), "it has no " + member);
        return text.textValue();
    }

    private static void require(boolean right, String wrong) {
        if (!right) {
            throw new IllegalArgumentException(wrong);
        }
    }
}
