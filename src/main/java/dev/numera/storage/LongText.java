package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;

/** A text in as many properties as it needs, {@code rows0}, {@code rows1} and so on: one holds 32,768 UTF-16 units. */
final class LongText {
    private static final int MAX_PROPERTY_UNITS = 32_000;

    private LongText() {}

    static void put(TableEntity row, String name, String text) {
        int from = 0;
        for (int index = 0; from < text.length() || index == 0; index++) {
            int to = Math.min(from + MAX_PROPERTY_UNITS, text.length());
            if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
                to--;
            }
            row.addProperty(name + index, text.substring(from, to));
            from = to;
        }
    }

    static String get(TableEntity row, String name) {
        StringBuilder text = new StringBuilder();
        for (int index = 0; row.getProperty(name + index) != null; index++) {
            text.append((String) row.getProperty(name + index));
        }
        return text.toString();
    }
}
