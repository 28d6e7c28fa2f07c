package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.SequenceName;
import dev.numera.problem.Word;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How changes are stored: a public contract, described in docs/tables.md. */
final class ChangeRows {
    private static final int MAX_FIELDS = 1_000;
    private static final int MAX_FIELD_UNITS = 100;

    private ChangeRows() {}

    /** What a query for changes of one kind looks for. */
    static String is(Change.Kind kind) {
        return "kind eq " + Table.quoted(Word.of(kind));
    }

    static TableEntity write(SequenceName name, Change change) {
        TableEntity row = new TableEntity(RowKeys.partition(name), RowKeys.change(change.position()))
                .addProperty("kind", Word.of(change.kind()))
                .addProperty("at", change.position().at().toString());
        put(row, "actor", change.note().actor());
        put(row, "reason", change.note().reason());
        if (!change.fields().isEmpty()) {
            row.addProperty("fields", json(change.fields()).toString());
        }
        Change.Move move = change.move();
        return move == null
                ? row
                : row.addProperty("period", move.period())
                        .addProperty("previousNext", move.previousNext())
                        .addProperty("next", move.next());
    }

    private static void put(TableEntity row, String property, @Nullable String text) {
        if (text != null) {
            row.addProperty(property, text);
        }
    }

    private static ArrayNode json(List<Change.FieldChange> fields) {
        ArrayNode json = Json.array();
        fields.forEach(change ->
                json.addArray().add(change.field()).addPOJO(change.before()).addPOJO(change.after()));
        return json;
    }

    static Change read(StoredRow row) {
        Change.Position position =
                new Change.Position(row.instant("at"), position(row).id());
        row.requireName(RowKeys.change(position), "at");
        Change.Kind kind = row.choice("kind", Change.Kind.class);
        return new Change(
                position,
                kind,
                new ChangeNote(note(row, "actor"), note(row, "reason")),
                row.has("fields") ? fields(row) : List.of(),
                kind == Change.Kind.ADVANCED ? move(row) : null);
    }

    /** By the row's name alone: a page can start at a change that cannot be read. */
    static Change.Position position(StoredRow row) {
        return RowKeys.changePosition(row.row())
                .orElseThrow(() -> row.wrong("RowKey", "is no name of a change: it needs a time and an id"));
    }

    private static @Nullable String note(StoredRow row, String property) {
        return row.optional(property).map(StoredRow::note).orElse(null);
    }

    private static Change.Move move(StoredRow row) {
        return new Change.Move(
                StoredRow.period(row.string("period")),
                row.int64("previousNext", -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT),
                row.int64("next", -StoredRow.LARGEST_NEXT, StoredRow.LARGEST_NEXT));
    }

    private static List<Change.FieldChange> fields(StoredRow row) {
        return row.json("fields").elements(0, MAX_FIELDS).stream()
                .map(json -> field(json.elements(3, 3)))
                .toList();
    }

    private static Change.FieldChange field(List<Checked> change) {
        return new Change.FieldChange(
                change.get(0).string(1, MAX_FIELD_UNITS),
                change.get(1).scalar(),
                change.get(2).scalar());
    }
}
