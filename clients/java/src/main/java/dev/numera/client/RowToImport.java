package dev.numera.client;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A number of another system: either a number or a text. Null means missing.
 *
 * @param status issued (the default), reserved or void
 * @param reason required if the status is void
 */
public record RowToImport(String key, Long number, String text, LocalDate date, String status, String reason) {
    /** Returns a row with a number. */
    public static RowToImport of(String key, long number) {
        return new RowToImport(key, number, null, null, null, null);
    }

    /** Returns a row with a text, as a format of the sequence prints it. */
    public static RowToImport of(String key, String text) {
        return new RowToImport(key, null, text, null, null, null);
    }

    /** Returns this row with a date. */
    public RowToImport withDate(LocalDate day) {
        return new RowToImport(key, number, text, day, status, reason);
    }

    /** Returns this row as void. */
    public RowToImport asVoid(String why) {
        return new RowToImport(key, number, text, date, "void", why);
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("key", Call.text("key", key));
        values.put("number", number);
        values.put("text", text);
        values.put("date", date);
        values.put("status", status);
        values.put("reason", reason);
        return values;
    }
}
