package dev.numera.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.json.Json;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A row as a line: {@code {"table", "partitionKey", "rowKey", "properties": {name: value}}}. Texts, booleans and
 * numbers of 32 bits are JSON's own; one of 64 bits is {@code {"int64": "42"}}, a text, so that every reader gets it
 * exactly and nobody takes it for another kind.
 */
final class RowJson {
    private static final String INT64 = "int64";

    private RowJson() {}

    static ObjectNode of(Row row) {
        ObjectNode json = Json.object()
                .put("table", row.table())
                .put("partitionKey", row.partitionKey())
                .put("rowKey", row.rowKey());
        ObjectNode properties = json.putObject("properties");
        row.properties().forEach((name, value) -> put(properties, name, value, row));
        return json;
    }

    private static void put(ObjectNode properties, String name, Object value, Row row) {
        if (value instanceof String text) {
            properties.put(name, text);
        } else if (value instanceof Boolean truth) {
            properties.put(name, truth);
        } else if (value instanceof Integer number) {
            properties.put(name, number);
        } else if (value instanceof Long number) {
            properties.putObject(name).put(INT64, number.toString());
        } else {
            throw new IllegalArgumentException(
                    "Another program wrote the property " + name + " of the row " + row.rowKey()
                            + " of " + row.partitionKey() + " in table " + row.table() + ", a "
                            + value.getClass().getSimpleName() + ", which Numera's tables do not hold: take it away.");
        }
    }

    /** @throws IllegalArgumentException it is no row, and why */
    static Row read(JsonNode json) {
        SortedMap<String, Object> properties = new TreeMap<>();
        JsonNode given = json.path("properties");
        require(given.isObject(), "its properties are no object");
        for (Map.Entry<String, JsonNode> property : given.properties()) {
            properties.put(property.getKey(), value(property.getKey(), property.getValue()));
        }
        return new Row(text(json, "table"), text(json, "partitionKey"), text(json, "rowKey"), properties);
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
