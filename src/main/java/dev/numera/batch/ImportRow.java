package dev.numera.batch;

import dev.numera.model.IsoDate;
import dev.numera.model.KeyStatus;
import dev.numera.model.OldNumber;
import dev.numera.model.WholeNumber;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The row of an import, read once. An empty value is as good as none.
 *
 * @param row as it was uploaded
 * @param number what it says
 */
public record ImportRow(UploadRow row, OldNumber number) {
    /**
     * Rows with numbers by these, then rows with texts by their length and characters: mostly the order of numbers,
     * too, whatever the sequence's definition will be when they come in.
     */
    private static final Comparator<OldNumber> BY_NUMBER = Comparator.comparing(
                    OldNumber::number, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(
                    OldNumber::text,
                    Comparator.nullsFirst(
                            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder())));

    /** @throws ProblemException {@code invalid-request} for what cannot be understood */
    public static ImportRow of(UploadLayout layout, UploadRow row) {
        return new ImportRow(row, read(layout, row));
    }

    /** The rows in the order of numbers; equal ones as they were sent. */
    public static List<UploadRow> byNumber(List<ImportRow> rows) {
        return rows.stream()
                .sorted(Comparator.comparing(ImportRow::number, BY_NUMBER))
                .map(ImportRow::row)
                .toList();
    }

    /**
     * What a row tells.
     *
     * @param layout of an import
     * @throws ProblemException {@code invalid-request} for what cannot be understood
     */
    public static OldNumber read(UploadLayout layout, UploadRow row) {
        ImportColumns columns = Objects.requireNonNull(layout.imported(), "Only an import has numbers.");
        String number = value(row, columns.number());
        String text = value(row, columns.text());
        if ((number == null) == (text == null)) {
            throw InvalidRequest.because("number", "or a text must be there, and not both");
        }
        String date = value(row, layout.dateColumn());
        KeyStatus.Status status = status(value(row, columns.status()));
        return new OldNumber(
                layout.key(row),
                number == null ? null : (Long) WholeNumber.parse("number", number),
                text,
                date == null ? null : IsoDate.parse("date", date),
                status,
                reason(status, value(row, columns.reason())));
    }

    private static @Nullable String value(UploadRow row, int column) {
        String value = column == UploadLayout.NO_COLUMN ? "" : row.values().get(column);
        return value.isEmpty() ? null : value;
    }

    private static KeyStatus.Status status(@Nullable String word) {
        return word == null
                ? KeyStatus.Status.ISSUED
                : Word.find(word, KeyStatus.Status.class)
                        .orElseThrow(() -> InvalidRequest.because("status", "must be issued, reserved or void"));
    }

    private static @Nullable String reason(KeyStatus.Status status, @Nullable String reason) {
        if ((status == KeyStatus.Status.VOID) != (reason != null)) {
            throw InvalidRequest.because("reason", "must be there where the status is void, and only there");
        }
        if (reason != null) {
            PrintableText.REASON.require("reason", reason);
        }
        return reason;
    }
}
