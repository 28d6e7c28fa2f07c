package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.SequenceName;
import dev.numera.definition.Change;
import dev.numera.problem.Word;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How changes stand in storage: a public contract, described in docs/tables.md. */
final class ChangeRows {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ChangeRows() {}

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
        ArrayNode json = JSON.createArrayNode();
        fields.forEach(change ->
                json.addArray().add(change.field()).addPOJO(change.before()).addPOJO(change.after()));
        return json;
    }

    static Change read(StoredRow row) {
        return new Change(
                new Change.Position(row.instant("at"), RowKeys.changeId(row.row())),
                row.choice("kind", Change.Kind.class),
                new ChangeNote(row.textOrNull("actor"), row.textOrNull("reason")),
                row.has("fields") ? fields(row) : List.of(),
                row.has("next")
                        ? new Change.Move(row.text("period"), row.int64("previousNext"), row.int64("next"))
                        : null);
    }

    private static List<Change.FieldChange> fields(StoredRow row) {
        List<Change.FieldChange> fields = new ArrayList<>();
        for (JsonNode change : row.json("fields")) {
            try {
                fields.add(new Change.FieldChange(
                        change.required(0).textValue(), value(change.required(1)), value(change.required(2))));
            } catch (IllegalArgumentException e) {
                throw row.unreadable("its property fields holds " + change, e);
            }
        }
        return fields;
    }

    private static @Nullable Object value(JsonNode json) {
        if (json.isIntegralNumber()) {
            return json.longValue();
        }
        return json.isBoolean() ? (Object) json.booleanValue() : json.textValue();
    }
}
