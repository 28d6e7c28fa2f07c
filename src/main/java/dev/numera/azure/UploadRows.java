package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Repetition;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.Result;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.CellNotation;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.lists.Uploads;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Maps uploads to their rows and back; {@link UploadAnswers} does so for the answer to one row. The format is a public
 * contract, described in docs/tables.md.
 */
final class UploadRows {
    /** The row of an upload, in its partition. */
    static final String UPLOAD = "upload";
    /** The partition with a row for each upload, oldest first. */
    static final String BY_AGE = "~by-age";

    private static final int NO_COLUMN = -1;
    /**
     * The most UTF-16 units of all answers in one row. A row holds 1 MiB including its names and keys, and a unit takes
     * two bytes.
     */
    private static final int MAX_UNITS_OF_ANSWERS = 500_000;

    private static final String SENT = "sent:";

    private UploadRows() {}

    static TableEntity write(Upload upload) {
        ListColumns columns = upload.columns();
        TableEntity row = new TableEntity(partition(upload.id()), UPLOAD)
                .addProperty("fingerprint", upload.fingerprint())
                .addProperty("sentAt", upload.sentAt().toString())
                .addProperty("count", columns.count())
                .addProperty("reserve", columns.isReserved())
                .addProperty("items", upload.items())
                .addProperty("parts", upload.parts())
                .addProperty("partsDone", upload.progress().parts())
                .addProperty("itemsDone", upload.progress().items())
                .addProperty("itemsNumbered", upload.progress().numbered())
                .addProperty("itemsAlreadyThere", upload.progress().alreadyThere())
                .addProperty("separator", String.valueOf(columns.separator()))
                .addProperty("movedAt", upload.movedAt().toString());
        StoredRow.putLong(row, "columns", Json.of(columns.columns()).toString());
        if (columns.notation().isOfFile()) {
            StoredRow.putLong(
                    row, "notation", NotationJson.write(columns.notation()).toString());
        }
        if (columns.date() != null) {
            row.addProperty("date", columns.date().toString());
        }
        if (upload.actor() != null) {
            row.addProperty("actor", upload.actor());
        }
        for (Field column : columns(upload.id())) {
            row.addProperty(property(column), columns.places().getOrDefault(column, NO_COLUMN));
        }
        return row;
    }

    static Upload read(Upload.Id id, StoredRow row) {
        int items = row.int32("items", 0, Uploads.MAX_ITEMS);
        int parts = row.int32("parts", 1, Uploads.MAX_ITEMS);
        return new Upload(
                id,
                StoredRow.id(row.string("fingerprint")),
                row.instant("sentAt"),
                layout(id, row),
                row.optional("actor").map(StoredRow::actor).orElse(null),
                items,
                parts,
                progress(row, items, parts),
                row.instant("movedAt"),
                row.version());
    }

    private static Upload.Progress progress(StoredRow row, int items, int parts) {
        int done = row.int32("itemsDone", 0, items);
        int numbered = row.int32("itemsNumbered", 0, done);
        return new Upload.Progress(
                row.int32("partsDone", 0, parts), done, numbered, row.int32OrElse("itemsAlreadyThere", 0, 0, numbered));
    }

    private static ListColumns layout(Upload.Id id, StoredRow row) {
        List<String> columns = row.longJson("columns").elements(1, Uploads.MAX_ITEMS).stream()
                .map(UploadRows::anyString)
                .toList();
        return new ListColumns(
                columns,
                places(id, row, columns),
                row.dateOrNull("date"),
                row.int32("count", id.isImport() ? 0 : 1, NumberRequest.MAX_COUNT),
                row.boolOrFalse("reserve"),
                row.has("separator") ? row.text("separator", 1, 1).charAt(0) : ListColumns.COMMA,
                row.has("notation0") ? NotationJson.read(row.longJson("notation")) : CellNotation.JSON);
    }

    private static Map<Field, Integer> places(Upload.Id id, StoredRow row, List<String> columns) {
        Map<Field, Integer> places = new EnumMap<>(Field.class);
        for (Field column : columns(id)) {
            int least = column == Field.KEY ? 0 : NO_COLUMN;
            int place = row.int32(property(column), least, columns.size() - 1);
            if (place != NO_COLUMN) {
                places.put(column, place);
            }
        }
        return places;
    }

    /** Returns the columns that this kind of upload can have. */
    private static Set<Field> columns(Upload.Id id) {
        return id.isImport() ? EnumSet.allOf(Field.class) : EnumSet.of(Field.KEY, Field.DATE);
    }

    private static String property(Field column) {
        return EnumWord.of(column) + "Column";
    }

    static String partition(Upload.Id id) {
        return RowKeys.partition(id.sequence()) + ":" + name(id);
    }

    static String nameOfPart(Upload upload, int part) {
        return String.format(Locale.ROOT, "%s:part:%06d", age(upload.sentAt()), part);
    }

    static String nameOfAnswers(Upload upload, int part) {
        return String.format(Locale.ROOT, "%s:answers:%06d", age(upload.sentAt()), part);
    }

    static String nameByAge(Instant sentAt, Upload.Id id) {
        return age(sentAt) + ":" + name(id);
    }

    /** Returns a name that lists the newest upload first. */
    static String nameInList(Upload.Id id, Instant sentAt) {
        return listOf(id.kind()) + (Long.MAX_VALUE - sentAt.toEpochMilli()) + ":" + id.id();
    }

    /** Returns the prefix of the rows in a sequence's partition that list its uploads of a kind. */
    static String listOf(Upload.Kind kind) {
        return SENT + EnumWord.of(kind) + ":";
    }

    private static String name(Upload.Id id) {
        return id.isImport() ? "import:" + id.id() : id.id();
    }

    /** Formats a time with a fixed length, so that text order is the order of time. */
    static String age(Instant moment) {
        return String.format(Locale.ROOT, "%019d", moment.toEpochMilli());
    }

    /** Returns the row that leads to an upload from the partition by age. */
    static TableEntity byAge(Upload upload) {
        return new TableEntity(BY_AGE, nameByAge(upload.sentAt(), upload.id()))
                .addProperty("scope", upload.id().sequence().scope())
                .addProperty("name", upload.id().sequence().name())
                .addProperty("kind", EnumWord.of(upload.id().kind()))
                .addProperty("id", upload.id().id())
                .addProperty("sentAt", upload.sentAt().toString());
    }

    /** Returns the row that leads to an upload from the partition of its sequence. */
    static TableEntity ofList(Upload upload) {
        return new TableEntity(RowKeys.partition(upload.id().sequence()), nameInList(upload.id(), upload.sentAt()))
                .addProperty("id", upload.id().id())
                .addProperty("sentAt", upload.sentAt().toString());
    }

    /** Reads the id of the upload that a row leads to. */
    static Upload.Id id(SequenceName sequence, Upload.Kind kind, StoredRow row) {
        Checked id = row.string("id");
        return Upload.Id.parse(sequence, kind, StoredRow.id(id))
                .orElseThrow(() -> id.refused("must have 32 hexadecimal digits in lower case"));
    }

    static Instant sentAt(StoredRow row) {
        return row.instant("sentAt");
    }

    /** Reads a row of the partition by age. */
    static UploadStore.OldUpload oldUpload(StoredRow row) {
        Upload.Kind kind = row.has("kind") ? row.choice("kind", Upload.Kind.class) : Upload.Kind.BATCH;
        Upload.Id upload = id(row.sequence(), kind, row);
        Instant sentAt = sentAt(row);
        // The removal deletes this row by that name. A row with another name would never be deleted, and found again
        // without end.
        row.requireName(nameByAge(sentAt, upload), "kind, id or sentAt");
        return new UploadStore.OldUpload(upload, sentAt);
    }

    /**
     * A part of an upload as a row.
     *
     * @param units how many UTF-16 units its texts have
     */
    record PartRow(TableEntity entity, int units) {}

    static PartRow part(Upload upload, int part, Upload.Content content) {
        String rows = Json.of(content.rows()).toString();
        String lines = content.lines().isEmpty() ? "" : Json.of(content.lines()).toString();
        String repetitions = repetitions(content.repetitions());
        TableEntity row = new TableEntity(partition(upload.id()), nameOfPart(upload, part));
        StoredRow.putLong(row, "rows", rows);
        if (!lines.isEmpty()) {
            StoredRow.putLong(row, "lines", lines);
        }
        if (!repetitions.isEmpty()) {
            StoredRow.putLong(row, "repetitions", repetitions);
        }
        return new PartRow(row, rows.length() + lines.length() + repetitions.length());
    }

    static Upload.Content content(Upload upload, StoredRow part) {
        List<Checked> rows = part.longJson("rows").elements(1, Uploads.MAX_ITEMS);
        return new Upload.Content(
                upload.columns(),
                rows.stream().map(row -> values(upload, row)).toList(),
                part.has("lines0") ? lines(part.longJson("lines"), rows.size()) : List.of(),
                part.has("repetitions0") ? repetitions(part.longJson("repetitions"), rows.size()) : Map.of());
    }

    /** Returns the repetitions as JSON; empty if there are none. */
    private static String repetitions(Map<Integer, Repetition> repetitions) {
        ArrayNode json = Json.array();
        repetitions.forEach((row, repetition) ->
                json.addArray().add(row).add(EnumWord.of(repetition.kind())).add(repetition.line()));
        return json.isEmpty() ? "" : json.toString();
    }

    private static Map<Integer, Repetition> repetitions(Checked stored, int rows) {
        Map<Integer, Repetition> repetitions = new HashMap<>();
        for (Checked element : stored.elements(1, rows)) {
            List<Checked> repetition = element.elements(3, 3);
            repetitions.put(
                    Math.toIntExact(repetition.get(0).int64(0, rows - 1)),
                    new Repetition(
                            StoredRow.word(repetition.get(1), Repetition.Kind.class),
                            Math.toIntExact(repetition.get(2).int64(1, Integer.MAX_VALUE))));
        }
        return repetitions;
    }

    private static List<Integer> lines(Checked stored, int rows) {
        return stored.elements(rows, rows).stream()
                .map(line -> Math.toIntExact(line.int64(1, Integer.MAX_VALUE)))
                .toList();
    }

    private static List<String> values(Upload upload, Checked row) {
        int columns = upload.columns().columns().size();
        List<Checked> values = row.elements(columns, columns);
        upload.columns().places().forEach((column, place) -> {
            // Values of an import are not checked here: their problems are reported with the import's results.
            if (column == Field.KEY && !upload.id().isImport()) {
                StoredRow.key(values.get(place));
            } else if (column == Field.DATE && !upload.id().isImport()) {
                requireDate(upload.columns(), values.get(place));
            }
        });
        return values.stream().map(UploadRows::anyString).toList();
    }

    private static void requireDate(ListColumns columns, Checked value) {
        if (!columns.notation().isOfFile()) {
            value.date();
        } else if (!columns.notation().isDate(anyString(value))) {
            throw value.refused("must be a date such as " + columns.notation().exampleOfDate());
        }
    }

    /** Reads a string of any length; the size of the property already limits it. */
    private static String anyString(Checked value) {
        return value.string(0, Integer.MAX_VALUE);
    }

    /** Returns the row with the answers of the last completed part. */
    static TableEntity answers(Upload upload, List<Result<PrintedAllocation>> answersOfLastPart) {
        TableEntity row = new TableEntity(
                partition(upload.id()), nameOfAnswers(upload, upload.progress().parts()));
        StoredRow.putLong(row, "answers", fitting(answersOfLastPart));
        return row;
    }

    /**
     * Returns the answers as JSON, in brief form if they would not fit a row: a refusal contains key and reason twice,
     * so those of a whole part can be too long.
     */
    private static String fitting(List<Result<PrintedAllocation>> results) {
        String whole = written(results, UploadAnswers::write);
        return whole.length() <= MAX_UNITS_OF_ANSWERS ? whole : written(results, UploadAnswers::writeBriefly);
    }

    private static String written(
            List<Result<PrintedAllocation>> results, Function<Result<PrintedAllocation>, ObjectNode> form) {
        ArrayNode json = Json.array();
        results.forEach(result -> json.add(form.apply(result)));
        return json.toString();
    }

    /** @param rows how many rows the part has */
    static List<Result<PrintedAllocation>> answers(StoredRow row, int rows) {
        return row.longJson("answers").elements(rows, rows).stream()
                .map(UploadAnswers::read)
                .toList();
    }
}
