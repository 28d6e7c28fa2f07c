package dev.numera.azure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.core.format.Format;
import dev.numera.core.format.Revision;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.problem.ProblemException;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the formats of a definition to the columns of its row and back: every revision, and the present one. */
final class FormatColumns {
    static final String FORMATS = "formats";

    private FormatColumns() {}

    static ArrayNode json(FormatHistory formats) {
        ArrayNode json = Json.array();
        for (Revision revision : formats.revisions()) {
            json.addArray()
                    .add(revision.format().toString())
                    .add(revision.least())
                    .add(revision.greatest())
                    .add(revision.maxValue());
        }
        return json;
    }

    /** Compiles the row's format column; null if the definition has no format. */
    private static @Nullable Format declaredFormat(StoredRow row, Definition definition) {
        return definition.format() == null ? null : format(row.string(DefinitionField.FORMAT.name()), null);
    }

    /** Reads the formats of a definition. */
    static FormatHistory read(StoredRow row, Definition definition) {
        return formats(row, definition, declaredFormat(row, definition));
    }

    /** @param declared the definition's format, whose template is not compiled again for its revision */
    private static FormatHistory formats(StoredRow row, Definition definition, @Nullable Format declared) {
        List<Revision> revisions = row.longJson(FORMATS).elements(0, FormatHistory.MAX_REVISIONS).stream()
                .map(revision -> revision(revision, declared))
                .toList();
        int current = row.int32("formatRevision", 0, FormatHistory.MAX_REVISIONS);
        if (current > revisions.size() || (current == 0) != (definition.textTemplate() == null)) {
            throw row.wrong(
                    "formatRevision, formats or format",
                    "is wrong: revision " + current + " of " + revisions.size() + " is not the current format");
        }
        requireOneFormat(row, current == 0 ? null : revisions.get(current - 1), definition);
        boolean isOnlyOne = revisions.size() == 1 && current == 1;
        return new FormatHistory(isOnlyOne ? List.of(whole(revisions.get(0), definition)) : revisions, current);
    }

    /**
     * Checks that the row's format column agrees with the present revision. Versions without revisions read the column.
     */
    private static void requireOneFormat(StoredRow row, @Nullable Revision present, Definition definition) {
        if (present != null && !present.format().toString().equals(definition.textTemplate())) {
            throw row.wrong(
                    "format or formats",
                    "is wrong: the current revision in formats is " + present.format() + ", but format is different");
        }
    }

    /**
     * Extends the only revision to the definition's whole range. Earlier versions stored only the range of the numbers
     * that a format had printed. If the sequence never had another format, every number of the range can only have this
     * one. A revision that was replaced keeps its stored range: the definition may have a new range since, and
     * {@code {r}} counts from the revision's own maxValue.
     */
    private static Revision whole(Revision only, Definition definition) {
        return new Revision(
                only.format(),
                Math.min(only.least(), definition.minValue()),
                Math.max(only.greatest(), definition.maxValue()),
                Math.max(only.maxValue(), definition.maxValue()));
    }

    private static Revision revision(Checked json, @Nullable Format declared) {
        List<Checked> revision = json.elements(4, 4);
        try {
            return new Revision(
                    format(revision.get(0), declared),
                    StoredRow.number(revision.get(1)),
                    StoredRow.number(revision.get(2)),
                    StoredRow.number(revision.get(3)));
        } catch (IllegalArgumentException e) {
            throw json.refused("must have numbers that the format can have been used for");
        }
    }

    private static Format format(Checked json, @Nullable Format compiled) {
        String template = json.string(1, Format.MAX_TEMPLATE_LENGTH);
        try {
            return compiled != null && compiled.toString().equals(template) ? compiled : Format.compile(template);
        } catch (ProblemException e) {
            throw json.refused("must be a format");
        }
    }
}
