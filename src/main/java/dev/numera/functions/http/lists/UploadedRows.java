package dev.numera.functions.http.lists;

import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.KeyForms;
import dev.numera.core.model.Sequence;
import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.sequences.lists.DateNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of an uploaded list. Checks each row as it is added. Not thread-safe. */
final class UploadedRows {
    /**
     * Orders the rows of an import by date, so that a part has few periods. Within a date, rows with numbers come
     * first, in their order, then rows with texts by length and characters. This is mostly the order of numbers, too,
     * whatever definition the sequence has at the import. Equal rows keep their order.
     */
    private static final Comparator<ImportedRow> BY_DATE_AND_NUMBER = Comparator.comparing(
            ImportedRow::number,
            Comparator.nullsLast(
                    Comparator.comparing(ImportedNumber::date, Comparator.nullsLast(Comparator.naturalOrder()))
                            .thenComparing(ImportedNumber::number, Comparator.nullsLast(Comparator.naturalOrder()))
                            .thenComparing(
                                    ImportedNumber::text,
                                    Comparator.nullsFirst(Comparator.comparingInt(String::length)
                                            .thenComparing(Comparator.naturalOrder())))));

    /**
     * @param number null if the row is invalid. Such rows are sorted last, and their problems are reported with the
     *     results
     */
    private record ImportedRow(List<String> row, int line, @Nullable ImportedNumber number) {}

    private static final int CHARACTERS_PER_CELL = 8;
    private static final int CHARACTERS_PER_ROW = 32;
    /** The bits of Latin characters. A string without other bits takes one byte for each character. */
    private static final int LATIN_BITS = 0xFF;

    private final ListColumns columns;
    private final List<List<String>> rows = new ArrayList<>();
    /** The parsed rows of an import; empty for other lists. */
    private final List<ImportedRow> imported = new ArrayList<>();

    private final Map<String, String> places = new HashMap<>();
    /** Collects the flaws of all rows, so that the user can correct the list at once. */
    private final InvalidRequest wrong = new InvalidRequest();

    UploadedRows(ListColumns columns) {
        this.columns = columns;
    }

    /**
     * Holds memory for a body before it is parsed.
     *
     * @throws ProblemException {@code too-large} if this instance never has so much memory; {@code overloaded}
     */
    static void hold(String body, CharacterBudget.Share share) {
        long characters = roomFor(body);
        if (!share.canEverHold(characters)) {
            throw new ProblemException(
                    ProblemType.TOO_LARGE,
                    String.format(
                            Locale.ROOT,
                            "The list takes room for %,d characters, cells and rows included, which is more than this"
                                    + " instance has. Leave out columns that are not needed, or send the list in several"
                                    + " uploads.",
                            characters));
        }
        share.hold(characters);
    }

    /**
     * Estimates the memory of a body in characters, for CSV, JSON and lines. Each cell and row except the last ends
     * with one of these characters. Text in Latin script takes half as much for each character.
     */
    static long roomFor(String body) {
        long others = CHARACTERS_PER_CELL + CHARACTERS_PER_ROW;
        int bits = 0;
        for (int at = 0; at < body.length(); at++) {
            char unit = body.charAt(at);
            bits |= unit;
            switch (unit) {
                case ',', ';', '\t' -> others += CHARACTERS_PER_CELL;
                case '\n', '\r' -> others += CHARACTERS_PER_ROW;
                default -> {
                    // Counted by the length.
                }
            }
        }
        return others + (bits <= LATIN_BITS ? body.length() / 2 : body.length());
    }

    /**
     * Adds a row. {@link #requireRight} reports its flaws.
     *
     * @param place of the row, for problems, as in {@code line 7}
     * @param line of the uploaded list, from 1
     * @param values one for each column
     * @throws ProblemException {@code too-large}
     */
    void add(String place, int line, List<String> values) {
        requireRoom();
        try {
            addRight(place, line, values);
        } catch (ProblemException e) {
            wrong(e);
        }
    }

    /**
     * Keeps the flaws of a row that cannot be added.
     *
     * @throws ProblemException as {@link #requireRight}, as soon as there are as many flaws as a problem lists
     */
    void wrong(ProblemException invalid) {
        wrong.addAll(invalid);
        wrong.throwIfFull();
    }

    /**
     * Refuses the list if any row has a flaw.
     *
     * @throws ProblemException {@code invalid-request} that names the places of the flaws
     */
    void requireRight() {
        wrong.throwIfAny();
    }

    /**
     * Refuses an import with dates in another notation than the stated one, or with void rows that have no reason. Both
     * concern a whole column: the caller has stated the wrong notation, or none. A damaged cell refuses only its row.
     *
     * @throws ProblemException {@code invalid-request} with the first line of each other notation
     */
    void requireStatedNotation() {
        if (columns.notation().isOfFile()) {
            otherDates()
                    .forEach(
                            (notation, first) -> wrong.add(
                                    place(first.line()),
                                    "has the date '" + Excerpt.of(dateOf(first)) + "' in the column '"
                                            + Excerpt.of(columns.name(ListColumns.Field.DATE))
                                            + "', but dates are read as "
                                            + columns.notation().exampleOfDate()
                                            + ": state the one notation of the column by dateFormat, such as dd.MM.yyyy or MM/dd/yyyy"));
            boolean isMapped = !columns.notation().statuses().kinds().isEmpty();
            imported.stream()
                    .filter(row -> isMapped && columns.lacksReason(row.row()))
                    .findFirst()
                    .ifPresent(row -> wrong.add(
                            ListParameters.REASON,
                            "is required, because the row in " + place(row.line())
                                    + " is void and states no reason: it is stored with each such row"));
        }
        requireRight();
    }

    /**
     * Refuses an import with numbers beyond a limit. One misread number would move all later ones. Rows that cannot be
     * understood are refused one by one, later.
     *
     * @param maxNumber the last number in the direction of the sequence's increment
     * @throws ProblemException {@code invalid-request} that names the first such lines
     */
    void requireUpTo(long maxNumber, Sequence known) {
        boolean isAscending = known.fixed().increment() > 0;
        for (ImportedRow row : imported) {
            OptionalLong number = row.number() == null ? OptionalLong.empty() : number(known, row.number());
            if (number.isPresent() && (isAscending ? number.getAsLong() > maxNumber : number.getAsLong() < maxNumber)) {
                wrong.add(
                        place(row.line()),
                        "has the number " + number.getAsLong() + ", which is beyond maxNumber " + maxNumber);
            }
        }
        requireRight();
    }

    private static OptionalLong number(Sequence known, ImportedNumber stated) {
        String text = stated.text();
        if (text == null) {
            return OptionalLong.of(Objects.requireNonNull(stated.number(), "A row has a number or a text."));
        }
        Long read = Result.unlessTrouble(() -> known.texts().read(text).parsed().number())
                .value();
        return read == null ? OptionalLong.empty() : OptionalLong.of(read);
    }

    private Map<DateNotation, ImportedRow> otherDates() {
        Map<DateNotation, ImportedRow> others = new EnumMap<>(DateNotation.class);
        if (columns.places().containsKey(ListColumns.Field.DATE)) {
            for (ImportedRow row : imported) {
                if (row.number() == null && !columns.notation().isDate(dateOf(row))) {
                    DateNotation.of(dateOf(row)).ifPresent(notation -> others.putIfAbsent(notation, row));
                }
            }
        }
        return others;
    }

    private String dateOf(ImportedRow row) {
        return row.row().get(Objects.requireNonNull(columns.places().get(ListColumns.Field.DATE)));
    }

    private static String place(int line) {
        return "line " + line;
    }

    private void addRight(String place, int line, List<String> values) {
        List<String> row = sharingEmpty(values);
        if (ListColumns.storedUnits(row) > Uploads.MAX_ROW_UNITS) {
            throw InvalidRequest.because(place, "has more than " + Uploads.MAX_ROW_UNITS + " characters as JSON");
        }
        if (columns.isImport()) {
            imported.add(understood(line, row));
            return;
        }
        String key = columns.key(row);
        columns.requireKey(place, row);
        String earlier = places.putIfAbsent(KeyForms.stored(key), place);
        if (earlier != null) {
            throw InvalidRequest.because(place, "repeats the key of " + earlier + ": each key gets one number");
        }
        if (columns.places().containsKey(ListColumns.Field.DATE)) {
            columns.requireDate(place, row);
        }
        rows.add(row);
    }

    /**
     * Adds a row with only a key, which must be valid and different from all others.
     *
     * @throws ProblemException {@code too-large}
     */
    void addChecked(String key) {
        requireRoom();
        rows.add(List.of(key));
    }

    private void requireRoom() {
        if (rows.size() + imported.size() == Uploads.MAX_ITEMS) {
            throw new ProblemException(
                    ProblemType.TOO_LARGE,
                    "The list has more than " + Uploads.MAX_ITEMS + " keys. Send it in several uploads.");
        }
    }

    /** Parses a row of an import. The problem of an invalid row is reported later, with the results. */
    private ImportedRow understood(int line, List<String> row) {
        try {
            return new ImportedRow(row, line, columns.number(row));
        } catch (ProblemException e) {
            return new ImportedRow(row, line, null);
        }
    }

    /**
     * Returns the content to store.
     *
     * @throws ProblemException {@code invalid-request} if there are no rows
     */
    Upload.Content content() {
        return new Upload.Content(
                columns,
                rows(),
                columns.isImport() ? byDateAndNumber().map(ImportedRow::line).toList() : List.of());
    }

    /** Returns the rows in the order of the uploaded list. */
    List<List<String>> asRead() {
        return columns.isImport() ? imported.stream().map(ImportedRow::row).toList() : rows;
    }

    private Stream<ImportedRow> byDateAndNumber() {
        return imported.stream().sorted(BY_DATE_AND_NUMBER);
    }

    ListColumns layout() {
        return columns;
    }

    /**
     * Returns the rows in the order of processing.
     *
     * @throws ProblemException {@code invalid-request} if there are none
     */
    List<List<String>> rows() {
        List<List<String>> all =
                columns.isImport() ? byDateAndNumber().map(ImportedRow::row).toList() : rows;
        if (all.isEmpty()) {
            throw InvalidRequest.because("body", "must hold at least one key");
        }
        return all;
    }

    /**
     * Shares one object for all empty cells. A parser creates a new one for each, and many tables consist mostly of
     * empty cells.
     */
    private static List<String> sharingEmpty(List<String> values) {
        return values.stream().map(value -> value.isEmpty() ? "" : value).toList();
    }
}
