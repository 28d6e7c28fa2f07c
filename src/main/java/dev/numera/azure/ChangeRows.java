package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.EnumWord;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps a change of a sequence to its row and back. The format is a public contract, described in docs/tables.md.
 *
 * <p>Decision: {@code docs/decisions/changes-are-logged-in-their-own-transaction.md}.
 */
final class ChangeRows {
    private static final String FIELDS = "fields";
    private static final String MORE_FIELDS = "moreFields";
    private static final int MAX_FIELDS = 1_000;
    /** Below the 32,768 UTF-16 units that the service allows in a property. */
    private static final int MAX_FIELDS_UNITS = 32_000;

    private static final int MAX_MORE_FIELDS = 10_000;
    private static final int MAX_FIELD_UNITS = 100;

    private ChangeRows() {}

    /** Returns the filter for changes of one kind. */
    static String is(Change.Kind kind) {
        return "kind eq " + Table.quoted(EnumWord.of(kind));
    }

    static TableEntity write(SequenceName name, Change change) {
        TableEntity row = new TableEntity(RowKeys.partition(name), RowKeys.change(change.position()))
                .addProperty("kind", EnumWord.of(change.kind()))
                .addProperty("at", change.position().at().toString());
        put(row, "actor", change.note().actor());
        put(row, "reason", change.note().reason());
        putFields(row, change.fields());
        Change.Move move = change.move();
        return move == null
                ? row
                : row.addProperty("period", move.period())
                        .addProperty("previousNext", move.previousNext())
                        .addProperty("next", move.next());
    }

    /**
     * Stores the fields of a change. Fields beyond the limit of one property go to further properties, which earlier
     * versions do not read.
     */
    private static void putFields(TableEntity row, List<Change.FieldChange> fields) {
        int fitting = 0;
        int units = 0;
        while (fitting < fields.size() && fitting < MAX_FIELDS) {
            units += json(fields.subList(fitting, fitting + 1)).toString().length();
            if (units > MAX_FIELDS_UNITS) {
                break;
            }
            fitting++;
        }
        if (fitting > 0) {
            row.addProperty(FIELDS, json(fields.subList(0, fitting)).toString());
        }
        if (fitting < fields.size()) {
            StoredRow.putLong(
                    row,
                    MORE_FIELDS,
                    json(fields.subList(fitting, fields.size())).toString());
        }
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
                new ChangeNote(row.optional("actor").map(StoredRow::actor).orElse(null), note(row, "reason")),
                fields(row),
                kind == Change.Kind.ADVANCED ? move(row) : null);
    }

    /**
     * Reads the position from the row's name alone, so that a page can start at a change whose other columns cannot be
     * read.
     */
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
        List<Checked> fields =
                new ArrayList<>(row.has(FIELDS) ? row.json(FIELDS).elements(0, MAX_FIELDS) : List.of());
        if (row.has(MORE_FIELDS + 0)) {
            fields.addAll(row.longJson(MORE_FIELDS).elements(0, MAX_MORE_FIELDS));
        }
        return fields.stream().map(json -> field(json.elements(3, 3))).toList();
    }

    private static Change.FieldChange field(List<Checked> change) {
        return new Change.FieldChange(
                change.get(0).string(1, MAX_FIELD_UNITS),
                change.get(1).scalar(),
                change.get(2).scalar());
    }
}
