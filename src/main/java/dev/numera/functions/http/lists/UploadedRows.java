package dev.numera.functions.http.lists;

import dev.numera.core.model.FieldParsers;
import dev.numera.core.model.ImportedNumber;
import dev.numera.core.model.KeyForms;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.PrintableText;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of an uploaded list, checked as they are read. */
final class UploadedRows {
    /**
     * By their dates, so that a part has few periods; then rows with numbers by these, and rows with texts by their
     * length and characters: mostly the order of numbers, too, whatever the sequence's definition is when they are
     * imported. Equal ones keep their order.
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

    /** @param number null where the row cannot be understood, which is reported when its turn comes: the last one */
    private record ImportedRow(List<String> row, int line, @Nullable ImportedNumber number) {}

    private static final int CHARACTERS_PER_CELL = 8;
    private static final int CHARACTERS_PER_ROW = 32;
    /** A string of no other bits takes one byte for each character. */
    private static final int LATIN_BITS = 0xFF;

    private final ListColumns columns;
    private final List<List<String>> rows = new ArrayList<>();
    /** Of an import: the rows as they were understood, each once. */
    private final List<ImportedRow> imported = new ArrayList<>();

    private final Map<String, String> places = new HashMap<>();
    /** All that is wrong, so that a list can be corrected at once. */
    private final InvalidRequest wrong = new InvalidRequest();

    UploadedRows(ListColumns columns) {
        this.columns = columns;
    }

    /**
     * Holds what a body takes, before it is parsed.
     *
     * @throws ProblemException {@code too-large} for more than this instance ever has room for; {@code overloaded}
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
     * Of CSV, JSON or lines: no cell and no row is without one of these characters, but the last. Text in Latin script
     * takes half as much for each character.
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
     * Adds a row. What is wrong with it is kept for {@link #requireRight}.
     *
     * @param place where it was read, as in {@code line 7}
     * @param line of what was sent, from 1
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
     * Keeps what is wrong with a row that cannot be added.
     *
     * @throws ProblemException as {@link #requireRight}: there are as many as a problem lists, so no more are read
     */
    void wrong(ProblemException invalid) {
        wrong.addAll(invalid);
        wrong.throwIfFull();
    }

    /** @throws ProblemException {@code invalid-request} that names the places of the rows with something wrong */
    void requireRight() {
        wrong.throwIfAny();
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
        PrintableText.KEY.require(place, key);
        String earlier = places.putIfAbsent(KeyForms.stored(key), place);
        if (earlier != null) {
            throw InvalidRequest.because(place, "repeats the key of " + earlier + ": each key gets one number");
        }
        Integer date = columns.places().get(ListColumns.Field.DATE);
        if (date != null) {
            FieldParsers.date(place, values.get(date));
        }
        rows.add(row);
    }

    /**
     * Adds a row that is nothing but a key, which is good and no other row's.
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

    /** What a row means is reported with the other results, row by row. */
    private ImportedRow understood(int line, List<String> row) {
        try {
            return new ImportedRow(row, line, columns.number(row));
        } catch (ProblemException e) {
            return new ImportedRow(row, line, null);
        }
    }

    /** @throws ProblemException {@code invalid-request} if there are no rows */
    Upload.Content content() {
        return new Upload.Content(
                columns,
                rows(),
                columns.isImport() ? byDateAndNumber().map(ImportedRow::line).toList() : List.of());
    }

    /** The rows of an import in the order of the uploaded list. */
    List<List<String>> asRead() {
        return imported.stream().map(ImportedRow::row).toList();
    }

    private Stream<ImportedRow> byDateAndNumber() {
        return imported.stream().sorted(BY_DATE_AND_NUMBER);
    }

    ListColumns layout() {
        return columns;
    }

    /**
     * In the order in which they are to be numbered, or imported.
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

    /** A parser makes a new object of each empty cell, and many tables have more of these than others. */
    private static List<String> sharingEmpty(List<String> values) {
        return values.stream().map(value -> value.isEmpty() ? "" : value).toList();
    }
}
