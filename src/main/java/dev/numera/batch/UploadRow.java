package dev.numera.batch;

import java.util.List;

/** A row of an uploaded list: a value for each of its columns. */
public record UploadRow(List<String> values) {
    public UploadRow {
        values = List.copyOf(values);
    }

    /**
     * How many UTF-16 units it takes in storage, where it stands in JSON: empty values and control characters take
     * some, too.
     */
    public int storedUnits() {
        int units = 2;
        for (String value : values) {
            units += 3;
            for (int i = 0; i < value.length(); i++) {
                char unit = value.charAt(i);
                units += unit < ' ' ? 6 : unit == '"' || unit == '\\' ? 2 : 1;
            }
        }
        return units;
    }
}
