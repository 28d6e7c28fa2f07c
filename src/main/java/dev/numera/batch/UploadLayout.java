package dev.numera.batch;

import dev.numera.model.Ask;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of an upload mean.
 *
 * @param columns their names
 * @param keyColumn the index of the column with the key
 * @param dateColumn the index of the column with the date, -1 for none
 * @param date of rows without one; null for the day of the upload
 * @param count how many numbers each row gets
 * @param isReserved whether the numbers are reserved
 * @param imported the columns that only an import has; null where the rows are to be numbered
 * @param separator of the columns in CSV
 */
public record UploadLayout(
        List<String> columns,
        int keyColumn,
        int dateColumn,
        @Nullable LocalDate date,
        int count,
        boolean isReserved,
        @Nullable ImportColumns imported,
        char separator) {
    public static final int NO_COLUMN = -1;
    public static final char COMMA = ',';

    /** For numbers that are issued. */
    public UploadLayout(List<String> columns, int keyColumn, int dateColumn, @Nullable LocalDate date, int count) {
        this(columns, keyColumn, dateColumn, date, count, false, null, COMMA);
    }

    public UploadLayout reserved() {
        return new UploadLayout(columns, keyColumn, dateColumn, date, count, true, imported, separator);
    }

    public UploadLayout separatedBy(char other) {
        return new UploadLayout(columns, keyColumn, dateColumn, date, count, isReserved, imported, other);
    }

    /** For numbers that come in. */
    public static UploadLayout ofImport(
            List<String> columns, int keyColumn, int dateColumn, ImportColumns imported, char separator) {
        return new UploadLayout(columns, keyColumn, dateColumn, null, 1, false, imported, separator);
    }

    public UploadLayout {
        columns = List.copyOf(columns);
    }

    /** What is asked for a row that was checked when it was uploaded. */
    Ask ask(UploadRow row) {
        return new Ask(
                key(row),
                count,
                dateColumn == NO_COLUMN ? date : LocalDate.parse(row.values().get(dateColumn)),
                isReserved);
    }

    public String key(UploadRow row) {
        return row.values().get(keyColumn);
    }
}
