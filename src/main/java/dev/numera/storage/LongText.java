package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;

/**
 * A text in as many properties as it needs, {@code rows0}, {@code rows1} and so on: one holds 32,768 UTF-16 units. An
 * empty one ends it where a longer text stood before.
 */
final class LongText {
    private static final int MAX_PROPERTY_UNITS = 32_000;

    private LongText() {}

    static void put(TableEntity row, String name, String text) {
        int from = 0;
        int index = 0;
        while (from < text.length()) {
            int to = Math.min(from + MAX_PROPERTY_UNITS, text.length());
            if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
                to--;
            }
            row.addProperty(name + index++, text.substring(from, to));
            from = to;
        }
        row.addProperty(name + index, "");
    }

    static String get(StoredRow row, String name) {
        StringBuilder text = new StringBuilder(row.text(name + 0, 0, Integer.MAX_VALUE));
        for (int index = 1; row.optional(name + index).isPresent(); index++) {
            text.append(row.text(name + index, 1, Integer.MAX_VALUE));
        }
        return text.toString();
    }
}
