package dev.numera.functions.batch;

import dev.numera.batch.ImportRow;
import dev.numera.batch.UploadLayout;
import dev.numera.batch.UploadRow;
import dev.numera.batch.Uploads;
import dev.numera.model.IsoDate;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of an uploaded list, checked as they are read. */
final class UploadedRows {
    private final UploadLayout layout;
    private final List<UploadRow> rows = new ArrayList<>();
    /** Of an import: the rows as they were understood, each once. */
    private final List<ImportRow> imported = new ArrayList<>();

    private final Map<String, String> places = new HashMap<>();

    UploadedRows(UploadLayout layout) {
        this.layout = layout;
    }

    /**
     * Adds a row.
     *
     * @param place where it was read, as in {@code line 7}
     * @throws ProblemException {@code invalid-request} that names the place, {@code too-large}
     */
    void add(String place, List<String> values) {
        requireRoom();
        if (values.size() != layout.columns().size()) {
            throw InvalidRequest.because(
                    place,
                    "has " + values.size() + " columns, but the header has "
                            + layout.columns().size());
        }
        UploadRow row = new UploadRow(sharingEmpty(values));
        if (row.storedUnits() > Uploads.MAX_ROW_UNITS) {
            throw InvalidRequest.because(place, "has more than " + Uploads.MAX_ROW_UNITS + " characters as JSON");
        }
        String key = layout.key(row);
        PrintableText.KEY.require(place, key);
        if (layout.imported() != null) {
            imported.add(understood(place, row));
            return;
        }
        String earlier = places.putIfAbsent(key, place);
        if (earlier != null) {
            throw InvalidRequest.because(place, "repeats the key of " + earlier + ": each key stands for one number");
        }
        if (layout.dateColumn() != UploadLayout.NO_COLUMN) {
            IsoDate.parse(place, values.get(layout.dateColumn()));
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
        rows.add(new UploadRow(List.of(key)));
    }

    private void requireRoom() {
        if (rows.size() + imported.size() == Uploads.MAX_ITEMS) {
            throw new ProblemException(
                    ProblemType.TOO_LARGE,
                    "The list has more than " + Uploads.MAX_ITEMS + " keys. Send it in several uploads.");
        }
    }

    /** What is wrong with a row of an import is told of its line, as of any other. */
    private ImportRow understood(String place, UploadRow row) {
        try {
            return ImportRow.of(layout, row);
        } catch (ProblemException e) {
            String why = e.getMessage();
            throw InvalidRequest.because(place, "is not understood: " + why.substring(0, why.length() - 1));
        }
    }

    /** @throws ProblemException {@code invalid-request} if there are no rows */
    Uploads.Content content() {
        return new Uploads.Content(layout, rows());
    }

    UploadLayout layout() {
        return layout;
    }

    /**
     * In the order in which they are to be numbered, or imported.
     *
     * @throws ProblemException {@code invalid-request} if there are none
     */
    List<UploadRow> rows() {
        List<UploadRow> all = layout.imported() == null ? rows : ImportRow.byNumber(imported);
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
