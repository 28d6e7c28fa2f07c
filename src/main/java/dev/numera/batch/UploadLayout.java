package dev.numera.batch;

import dev.numera.sequence.Ask;
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
 */
public record UploadLayout(
        List<String> columns, int keyColumn, int dateColumn, @Nullable LocalDate date, int count, boolean isReserved) {
    public static final int NO_COLUMN = -1;

    /** For numbers that are issued. */
    public UploadLayout(List<String> columns, int keyColumn, int dateColumn, @Nullable LocalDate date, int count) {
        this(columns, keyColumn, dateColumn, date, count, false);
    }

    public UploadLayout reserved() {
        return new UploadLayout(columns, keyColumn, dateColumn, date, count, true);
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
