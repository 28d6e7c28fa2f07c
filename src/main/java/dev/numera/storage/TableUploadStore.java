package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Layout;
import dev.numera.batch.Layout.Field;
import dev.numera.batch.Upload;
import dev.numera.batch.UploadStore;
import dev.numera.batch.Uploads;
import dev.numera.execution.Clock;
import dev.numera.execution.RetryPolicy;
import dev.numera.execution.StoreFailure;
import dev.numera.execution.WriteResult;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.model.Page;
import dev.numera.model.Repetition;
import dev.numera.model.SequenceName;
import dev.numera.model.Take;
import dev.numera.problem.Answer;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import dev.numera.sequence.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Uploads in the table {@value TableNames#BATCHES}: one partition for each id, with the row {@code upload}, and for
 * each part a row with what was uploaded and one with the answers. In the partition {@value #BY_AGE} a row for each
 * upload leads to it by its age, and one in the partition of its sequence, the last one first.
 *
 * <p>An id that is made of a caller's key can be used again when its upload is gone. So the rows of an upload have the
 * time in their names at which it was sent: what is left of one is never taken for a part of the next.
 */
final class TableUploadStore implements UploadStore {
    private static final int MAX_TRIES = 20;
    private static final String UPLOAD = "upload";
    private static final String BY_AGE = "~by-age";
    private static final int NO_COLUMN = -1;
    /** A row holds 1 MiB, at two bytes for each unit, with its names and keys. */
    private static final int MAX_UNITS_OF_ANSWERS = 500_000;

    private static final String SENT = "sent:";
    private static final Duration LISTED_WITHIN = Duration.ofSeconds(10);

    private final Table batches;
    private final LookUps lookUps;

    TableUploadStore(Table batches, LookUps lookUps) {
        this.batches = batches;
        this.lookUps = lookUps;
    }

    @Override
    public Optional<Upload> find(Upload.Id id) {
        return batches.find(partition(id), UPLOAD).map(row -> upload(id, row));
    }

    @Override
    public WriteResult insert(Upload upload) {
        // The way to it by age comes first, so that nothing is ever stored that would not be found and removed.
        TableEntity byAge = new TableEntity(BY_AGE, rowByAge(upload.sentAt(), upload.id()))
                .addProperty("scope", upload.id().sequence().scope())
                .addProperty("name", upload.id().sequence().name())
                .addProperty("kind", Word.of(upload.id().kind()))
                .addProperty("id", upload.id().id())
                .addProperty("sentAt", upload.sentAt().toString());
        TableEntity listed = new TableEntity(RowKeys.partition(upload.id().sequence()), rowOfList(upload))
                .addProperty("id", upload.id().id())
                .addProperty("sentAt", upload.sentAt().toString());
        for (TableEntity way : List.of(byAge, listed)) {
            if (batches.insert(way) instanceof WriteResult.Unknown unknown) {
                return unknown;
            }
        }
        return batches.insert(row(upload));
    }

    @Override
    public Page<Listed, String> list(SequenceName sequence, Upload.Kind kind, int limit, @Nullable String position) {
        String prefix = SENT + Word.of(kind) + ":";
        if (position != null && !Table.isKey(position)) {
            throw InvalidRequest.because("continuation", "must be the one of the page before");
        }
        // Behind the row of that name comes the same name with anything after it: '!' is the first that may follow.
        String first = position == null ? prefix : prefix + position + "!";
        String end = prefix.substring(0, prefix.length() - 1) + ";";
        List<StoredRow> rows = batches.first(Table.rowsAre(RowKeys.partition(sequence), first, end), limit);
        Map<String, Listed> found = new HashMap<>();
        List<Callable<Optional<Map.Entry<String, Listed>>>> reads = new ArrayList<>();
        rows.forEach(row -> reads.add(() -> listed(sequence, kind, row).map(listed -> Map.entry(row.row(), listed))));
        lookUps.all(reads, LISTED_WITHIN)
                .forEach(read -> read.ifPresent(listed -> found.put(listed.getKey(), listed.getValue())));
        return new Page<>(
                rows.stream()
                        .map(row -> found.get(row.row()))
                        .filter(Objects::nonNull)
                        .toList(),
                rows.size() < limit ? null : rows.get(limit - 1).row().substring(prefix.length()));
    }

    /** Empty where a crash has left the row before it wrote the upload, or after it removed it. */
    private Optional<Listed> listed(SequenceName sequence, Upload.Kind kind, StoredRow row) {
        String known = null;
        try {
            Checked property = row.string("id");
            Upload.Id id = Upload.Id.parse(sequence, kind, StoredRow.id(property))
                    .orElseThrow(() -> property.refused("must have 32 hexadecimal digits in lower case"));
            Instant sentAt = row.instant("sentAt");
            row.requireName(rowOfList(id, sentAt), "id or sentAt");
            known = id.id();
            return find(id).filter(upload -> upload.sentAt().equals(sentAt))
                    .map(upload -> new Listed(upload.id().id(), Answer.of(upload)));
        } catch (StoreFailure e) {
            if (e.isTransient()) {
                throw e;
            }
            return Optional.of(new Listed(known, Answer.refused(e.ofOneRequest())));
        }
    }

    @Override
    public WriteResult replace(Upload upload) {
        return batches.change(row(upload), upload.version());
    }

    @Override
    public void insertParts(Upload upload, List<Upload.Content> parts) {
        List<TableTransactionAction> actions = new ArrayList<>();
        int units = 0;
        for (int part = 1; part <= parts.size(); part++) {
            String rows = Json.of(parts.get(part - 1).rows()).toString();
            List<Integer> linesOfRows = parts.get(part - 1).lines();
            String lines = linesOfRows.isEmpty() ? "" : Json.of(linesOfRows).toString();
            String repetitions = repetitions(parts.get(part - 1).repetitions());
            int unitsOfPart = rows.length() + lines.length() + repetitions.length();
            boolean isFull = actions.size() == Table.TRANSACTION_ROWS || units + unitsOfPart > Table.TRANSACTION_UNITS;
            if (isFull && !actions.isEmpty()) {
                insertAll(actions);
                actions.clear();
                units = 0;
            }
            TableEntity row = new TableEntity(partition(upload.id()), rowOfPart(upload, part));
            StoredRow.putLong(row, "rows", rows);
            if (!lines.isEmpty()) {
                StoredRow.putLong(row, "lines", lines);
            }
            if (!repetitions.isEmpty()) {
                StoredRow.putLong(row, "repetitions", repetitions);
            }
            actions.add(Table.inserting(row));
            units += unitsOfPart;
        }
        insertAll(actions);
    }

    @Override
    public Upload.Content part(Upload upload, int part) {
        StoredRow stored = read(upload, rowOfPart(upload, part));
        List<Checked> rows = stored.longJson("rows").elements(1, Uploads.MAX_ITEMS);
        return new Upload.Content(
                upload.layout(),
                rows.stream().map(row -> row(upload, row)).toList(),
                stored.has("lines0") ? lines(stored.longJson("lines"), rows.size()) : List.of(),
                stored.has("repetitions0") ? repetitions(stored.longJson("repetitions"), rows.size()) : Map.of());
    }

    /** Empty where there are none. */
    private static String repetitions(Map<Integer, Repetition> repetitions) {
        ArrayNode json = Json.array();
        repetitions.forEach((row, repetition) ->
                json.addArray().add(row).add(Word.of(repetition.kind())).add(repetition.line()));
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

    private static List<String> row(Upload upload, Checked row) {
        int columns = upload.layout().columns().size();
        List<Checked> values = row.elements(columns, columns);
        upload.layout().places().forEach((column, place) -> {
            // What a row of an import means is reported with its result.
            if (column == Field.KEY && !upload.id().isImport()) {
                StoredRow.key(values.get(place));
            } else if (column == Field.DATE && !upload.id().isImport()) {
                values.get(place).date();
            }
        });
        return values.stream().map(TableUploadStore::anyString).toList();
    }

    /** The property that holds it bounds it. */
    private static String anyString(Checked value) {
        return value.string(0, Integer.MAX_VALUE);
    }

    @Override
    public WriteResult finish(Upload upload, List<Answer<Numbers>> answersOfLastPart) {
        TableEntity answers = new TableEntity(
                partition(upload.id()), rowOfAnswers(upload, upload.progress().parts()));
        StoredRow.putLong(answers, "answers", fitting(answersOfLastPart));
        return batches.transact(List.of(Table.changing(row(upload), upload.version()), Table.putting(answers)));
    }

    /** A refusal contains key and reason twice each: of a whole part that can be more than a row holds. */
    private static String fitting(List<Answer<Numbers>> answers) {
        String whole = written(answers, UploadAnswers::write);
        return whole.length() <= MAX_UNITS_OF_ANSWERS ? whole : written(answers, UploadAnswers::writeBriefly);
    }

    private static String written(List<Answer<Numbers>> answers, Function<Answer<Numbers>, ObjectNode> form) {
        ArrayNode json = Json.array();
        answers.forEach(answer -> json.add(form.apply(answer)));
        return json.toString();
    }

    @Override
    public List<Answer<Numbers>> answers(Upload upload, int part, int rows) {
        StoredRow stored = read(upload, rowOfAnswers(upload, part));
        return stored.longJson("answers").elements(rows, rows).stream()
                .map(UploadAnswers::read)
                .toList();
    }

    @Override
    public List<OldUpload> sentBefore(Instant moment, int limit) {
        String filter = Table.partitionIs(BY_AGE) + " and RowKey lt " + Table.quoted(age(moment));
        List<OldUpload> uploads = new ArrayList<>();
        StoreFailure unreadable = null;
        for (StoredRow row : batches.first(filter, limit)) {
            try {
                uploads.add(oldUpload(row));
            } catch (StoreFailure e) {
                unreadable = e;
            }
        }
        // Thrown only when the others are gone, so that they are removed.
        if (uploads.isEmpty() && unreadable != null) {
            throw unreadable;
        }
        return uploads;
    }

    private static OldUpload oldUpload(StoredRow row) {
        Upload.Kind kind = row.has("kind") ? row.choice("kind", Upload.Kind.class) : Upload.Kind.BATCH;
        Checked id = row.string("id");
        Upload.Id upload = Upload.Id.parse(row.sequence(), kind, StoredRow.id(id))
                .orElseThrow(() -> id.refused("must have 32 hexadecimal digits in lower case"));
        Instant sentAt = row.instant("sentAt");
        // A removal looks for this row by its name: a row elsewhere would be found again without end.
        row.requireName(rowByAge(sentAt, upload), "kind, id or sentAt");
        return new OldUpload(upload, sentAt);
    }

    @Override
    public void remove(OldUpload old) {
        // The upload itself goes first: from then on its id may be used again, and no caller reads or writes its parts.
        removeUpload(old);
        batches.deleteAll(Table.rowsAre(partition(old.id()), age(old.sentAt()) + ":", age(old.sentAt()) + ";"));
        delete(RowKeys.partition(old.id().sequence()), rowOfList(old.id(), old.sentAt()));
        // The way to it goes last, for the same reason as it came first.
        delete(BY_AGE, rowByAge(old.sentAt(), old.id()));
    }

    private void delete(String partition, String row) {
        batches.deleteAll(Table.partitionIs(partition) + " and RowKey eq " + Table.quoted(row));
    }

    /** Where there is another by now, that one stays. */
    private void removeUpload(OldUpload old) {
        RetryPolicy.untilWon(Clock.SYSTEM, "The upload " + old.id(), MAX_TRIES, () -> {
            Optional<StoredRow> row = batches.find(partition(old.id()), UPLOAD).filter(found -> isOf(old, found));
            return row.isEmpty()
                            || batches.transact(List.of(Table.deleting(row.get())))
                                    .isWon()
                    ? Optional.of(old)
                    : Optional.empty();
        });
    }

    private static boolean isOf(OldUpload old, StoredRow row) {
        return old.sentAt().equals(row.instant("sentAt"));
    }

    /** An earlier try may have stored them: the same parts go into the same transactions every time. */
    private void insertAll(List<TableTransactionAction> actions) {
        batches.transact(actions).requireKnown();
    }

    private StoredRow read(Upload upload, String rowKey) {
        return batches.find(partition(upload.id()), rowKey).orElseThrow(() -> missing(upload, rowKey));
    }

    /** The upload may have been removed since it was found, or another may have taken its place. */
    private ProblemException missing(Upload upload, String rowKey) {
        Upload.Id id = upload.id();
        boolean isStillThere =
                find(id).filter(found -> found.sentAt().equals(upload.sentAt())).isPresent();
        return isStillThere
                ? new StoreFailure(
                        "The row " + rowKey + " of " + partition(id) + " in table " + TableNames.BATCHES
                                + " is missing: another program removed it, or the request that was to store it failed. Send"
                                + " that request again, with its Idempotency-Key. See docs/tables.md.",
                        false,
                        null)
                : Uploads.unknown(id.kind(), id.toString());
    }

    private static TableEntity row(Upload upload) {
        Layout layout = upload.layout();
        TableEntity row = new TableEntity(partition(upload.id()), UPLOAD)
                .addProperty("fingerprint", upload.fingerprint())
                .addProperty("sentAt", upload.sentAt().toString())
                .addProperty("count", layout.count())
                .addProperty("reserve", layout.isReserved())
                .addProperty("items", upload.items())
                .addProperty("parts", upload.parts())
                .addProperty("partsDone", upload.progress().parts())
                .addProperty("itemsDone", upload.progress().items())
                .addProperty("itemsNumbered", upload.progress().numbered())
                .addProperty("itemsAlreadyThere", upload.progress().alreadyThere())
                .addProperty("separator", String.valueOf(layout.separator()))
                .addProperty("movedAt", upload.movedAt().toString());
        StoredRow.putLong(row, "columns", Json.of(layout.columns()).toString());
        if (layout.date() != null) {
            row.addProperty("date", layout.date().toString());
        }
        if (upload.actor() != null) {
            row.addProperty("actor", upload.actor());
        }
        for (Field column : columns(upload.id())) {
            row.addProperty(property(column), layout.places().getOrDefault(column, NO_COLUMN));
        }
        return row;
    }

    private static Upload upload(Upload.Id id, StoredRow row) {
        int items = row.int32("items", 0, Uploads.MAX_ITEMS);
        int parts = row.int32("parts", 1, Uploads.MAX_ITEMS);
        return new Upload(
                id,
                StoredRow.id(row.string("fingerprint")),
                row.instant("sentAt"),
                layout(id, row),
                row.optional("actor").map(StoredRow::note).orElse(null),
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

    private static Layout layout(Upload.Id id, StoredRow row) {
        List<String> columns = row.longJson("columns").elements(1, Uploads.MAX_ITEMS).stream()
                .map(TableUploadStore::anyString)
                .toList();
        return new Layout(
                columns,
                places(id, row, columns),
                row.dateOrNull("date"),
                row.int32("count", id.isImport() ? 0 : 1, Take.MAX_COUNT),
                row.boolOrFalse("reserve"),
                row.has("separator") ? row.text("separator", 1, 1).charAt(0) : Layout.COMMA);
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

    /** Those that an upload of the kind can have. */
    private static Set<Field> columns(Upload.Id id) {
        return id.isImport() ? EnumSet.allOf(Field.class) : EnumSet.of(Field.KEY, Field.DATE);
    }

    private static String property(Field column) {
        return Word.of(column) + "Column";
    }

    private static String partition(Upload.Id id) {
        return RowKeys.partition(id.sequence()) + ":" + name(id);
    }

    private static String rowOfPart(Upload upload, int part) {
        return String.format(Locale.ROOT, "%s:part:%06d", age(upload.sentAt()), part);
    }

    private static String rowOfAnswers(Upload upload, int part) {
        return String.format(Locale.ROOT, "%s:answers:%06d", age(upload.sentAt()), part);
    }

    private static String rowByAge(Instant sentAt, Upload.Id id) {
        return age(sentAt) + ":" + name(id);
    }

    private static String rowOfList(Upload upload) {
        return rowOfList(upload.id(), upload.sentAt());
    }

    /** The later one comes before the earlier one. */
    private static String rowOfList(Upload.Id id, Instant sentAt) {
        return SENT + Word.of(id.kind()) + ":" + (Long.MAX_VALUE - sentAt.toEpochMilli()) + ":" + id.id();
    }

    private static String name(Upload.Id id) {
        return id.isImport() ? "import:" + id.id() : id.id();
    }

    /** Of one length, so that text order is the order of time. */
    private static String age(Instant moment) {
        return String.format(Locale.ROOT, "%019d", moment.toEpochMilli());
    }
}
