package dev.numera.backup;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A row of a table. Immutable.
 *
 * @param properties by their names; each value is a {@code String}, {@code Boolean}, {@code Integer} or {@code Long}
 */
public record Row(String table, String partitionKey, String rowKey, SortedMap<String, Object> properties) {
    public Row {
        properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    /** About how many characters it has, its numbers left out. */
    public long units() {
        long units = partitionKey.length();
        units += rowKey.length();
        for (var property : properties.entrySet()) {
            units += property.getKey().length();
            units += property.getValue() instanceof String text ? text.length() : Long.BYTES;
        }
        return units;
    }
}
