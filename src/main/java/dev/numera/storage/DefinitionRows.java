package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.definition.DateOrder;
import dev.numera.definition.Definition;
import dev.numera.definition.FormatHistory;
import dev.numera.definition.Remarks;
import dev.numera.definition.StoredDefinition;
import dev.numera.format.Format;
import dev.numera.format.ResetEvery;
import dev.numera.format.Revision;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.problem.Word;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** How definitions stand in storage: a public contract, described in docs/tables.md. */
final class DefinitionRows {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String IN_USE = "inUse";
    private static final String NEEDS = "needs";
    private static final String FORMATS = "formats";

    private DefinitionRows() {}

    /** What changes when a number is taken under a definition. */
    static TableEntity mark(SequenceName name) {
        return new TableEntity(RowKeys.partition(name), RowKeys.DEFINITION).addProperty(IN_USE, true);
    }

    static TableEntity write(StoredDefinition stored) {
        Definition definition = stored.definition();
        TableEntity row = new TableEntity(RowKeys.partition(stored.name()), RowKeys.DEFINITION)
                .addProperty("scope", stored.name().scope())
                .addProperty("name", stored.name().name())
                .addProperty("id", stored.id())
                .addProperty(NEEDS, definition.needs())
                .addProperty(IN_USE, stored.isInUse())
                .addProperty("guarantee", Word.of(definition.fixed().guarantee()))
                .addProperty("start", definition.fixed().start())
                .addProperty("increment", definition.fixed().increment())
                .addProperty("minValue", definition.minValue())
                .addProperty("maxValue", definition.maxValue())
                .addProperty("cycle", definition.fixed().cycle())
                .addProperty("cacheSize", definition.cacheSize())
                .addProperty("resetEvery", Word.of(definition.fixed().resetEvery()))
                .addProperty("timeZone", definition.fixed().timeZone().getId())
                .addProperty("fiscalYearStart", definition.fixed().fiscalYearStart())
                .addProperty("dateOrder", Word.of(definition.dateOrder()))
                .addProperty("formatRevision", stored.formats().current());
        LongText.put(row, FORMATS, revisions(stored.formats()).toString());
        Remarks remarks = definition.remarks();
        row.addProperty("maxLength", definition.maxLength() == null ? 0 : definition.maxLength())
                .addProperty("description", Objects.requireNonNullElse(remarks.description(), ""))
                .addProperty("contact", Objects.requireNonNullElse(remarks.contact(), ""))
                .addProperty("warnAtPercent", remarks.warnAtPercent());
        return row.addProperty("format", definition.format() == null ? "" : definition.format())
                .addProperty(
                        "retiredAt",
                        stored.retiredAt() == null ? "" : stored.retiredAt().toString());
    }

    private static ArrayNode revisions(FormatHistory formats) {
        ArrayNode json = JSON.createArrayNode();
        for (Revision revision : formats.revisions()) {
            json.addArray()
                    .add(revision.format())
                    .add(revision.least())
                    .add(revision.greatest())
                    .add(revision.maxValue());
        }
        return json;
    }

    /**
     * What stands there, checked further than its types.
     *
     * @throws ProblemException {@code needs-newer-version}
     */
    static StoredDefinition read(StoredRow row) {
        requireKnown(row);
        try {
            StoredDefinition stored = stored(row);
            stored.formats().revisions().forEach(revision -> Format.compile(revision.format()));
            stored.definition().series();
            if (stored.definition().cacheSize() < 1) {
                throw row.unreadable("its property cacheSize is less than 1", null);
            }
            return stored;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw row.unreadable(String.valueOf(e.getMessage()), e);
        }
    }

    /** Before anything else is read: what a newer version wrote may be of another form. */
    private static void requireKnown(StoredRow row) {
        int needs = row.int32(NEEDS);
        if (needs > Definition.KNOWN_FEATURES) {
            throw new ProblemException(
                    ProblemType.NEEDS_NEWER_VERSION,
                    "The definition of " + name(row) + " needs a version of the app that knows features of level "
                            + needs + "; this one knows level " + Definition.KNOWN_FEATURES
                            + ". Update this instance.");
        }
    }

    static SequenceName name(StoredRow row) {
        return row.sequence(row.text("scope"), row.text("name"));
    }

    private static StoredDefinition stored(StoredRow row) {
        FixedFields fixed = new FixedFields(
                row.choice("guarantee", Guarantee.class),
                row.int64("start"),
                row.int64("increment"),
                row.bool("cycle"),
                row.choice("resetEvery", ResetEvery.class),
                ZoneId.of(row.text("timeZone")),
                row.int32("fiscalYearStart"));
        int maxLength = row.int32OrElse("maxLength", 0);
        Definition definition = new Definition(
                fixed,
                row.int64("minValue"),
                row.int64("maxValue"),
                row.int32("cacheSize"),
                row.textOrNull("format"),
                maxLength == 0 ? null : (Integer) maxLength,
                row.has("dateOrder") ? row.choice("dateOrder", DateOrder.class) : DateOrder.NONE,
                new Remarks(
                        row.textOrNull("description"),
                        row.textOrNull("contact"),
                        row.int32OrElse("warnAtPercent", Remarks.WARN_AT_PERCENT)));
        return new StoredDefinition(
                name(row),
                row.text("id"),
                definition,
                formats(row),
                row.bool(IN_USE),
                row.instantOrNull("retiredAt"),
                row.version());
    }

    private static FormatHistory formats(StoredRow row) {
        List<Revision> revisions = new ArrayList<>();
        for (JsonNode json : row.longJson(FORMATS)) {
            revisions.add(new Revision(
                    row.text(FORMATS, json.path(0)),
                    row.int64(FORMATS, json.path(1)),
                    row.int64(FORMATS, json.path(2)),
                    row.int64(FORMATS, json.path(3))));
        }
        int current = row.int32("formatRevision");
        if (current < 0 || current > revisions.size()) {
            throw row.unreadable("its property formatRevision is " + current + " of " + revisions.size(), null);
        }
        return new FormatHistory(revisions, current);
    }
}
