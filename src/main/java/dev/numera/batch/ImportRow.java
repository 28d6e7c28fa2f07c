package dev.numera.batch;

import dev.numera.counter.KeyStatus;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import dev.numera.sequence.IsoDate;
import dev.numera.sequence.OldNumber;
import dev.numera.sequence.WholeNumber;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How the row of an import is read. An empty value is as good as none. */
public final class ImportRow {
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

    private ImportRow() {}

    /** The rows, whose numbers can be read, in the order of numbers; equal ones as they came. */
    static List<UploadRow> byNumber(UploadLayout layout, List<UploadRow> rows) {
        return rows.stream()
                .sorted(Comparator.comparing(row -> read(layout, row), BY_NUMBER))
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
