package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Series;
import dev.numera.definition.DateOrder;
import dev.numera.definition.Definition;
import dev.numera.definition.FormatHistory;
import dev.numera.definition.KnownDefinition;
import dev.numera.definition.Remarks;
import dev.numera.definition.StoredDefinition;
import dev.numera.format.FiscalYear;
import dev.numera.format.Format;
import dev.numera.format.ResetEvery;
import dev.numera.format.Revision;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.problem.Word;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How definitions stand in storage: a public contract, described in docs/tables.md. */
final class DefinitionRows {
    private static final String IN_USE = "inUse";
    private static final String NEEDS = "needs";
    private static final String FORMATS = "formats";
    private static final int MAX_REMARK_UNITS = 1_000;
    private static final LocalDate ANY_DATE = LocalDate.of(2026, 1, 1);
    private static final String TWO_DIGIT_YEARS_UNTIL = "twoDigitYearsUntil";
    private static final String TIME_ZONE = "timeZone";
    private static final String TIME_ZONE_UNSET = "timeZoneUnset";
    /** What dates are in where no zone was stated: earlier versions read a zone in every row. */
    private static final String UTC = "UTC";

    private DefinitionRows() {}

    /** What changes when a number is taken under a definition. */
    static TableEntity mark(SequenceName name) {
        return new TableEntity(RowKeys.partition(name), RowKeys.DEFINITION).addProperty(IN_USE, true);
    }

    static TableEntity write(StoredDefinition stored) {
        Definition definition = stored.definition();
        ZoneId zone = definition.fixed().timeZone();
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
                .addProperty(TIME_ZONE, zone == null ? UTC : zone.getId())
                .addProperty(TIME_ZONE_UNSET, zone == null)
                .addProperty("fiscalYearStart", definition.fixed().fiscalYearStart())
                .addProperty("dateOrder", Word.of(definition.dateOrder()))
                .addProperty("formatRevision", stored.formats().current())
                .addProperty(TWO_DIGIT_YEARS_UNTIL, stored.twoDigitYearsUntil());
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
        ArrayNode json = Json.array();
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
        StoredDefinition stored = stored(row);
        if (!stored.name().isTemplate()) {
            requirePrintable(row, new KnownDefinition(stored));
        }
        return stored;
    }

    /** A template may need what the scope does not have, such as digits. */
    private static void requirePrintable(StoredRow row, KnownDefinition known) {
        int revisions = known.stored().formats().revisions().size();
        for (int revision = 1; revision <= revisions; revision++) {
            try {
                known.text(revision, ANY_DATE, known.fixed().start());
            } catch (IllegalArgumentException | ProblemException e) {
                throw row.wrong(FORMATS, "cannot print its numbers (" + e.getMessage() + ")");
            }
        }
    }

    /** Before anything else is read: what a newer version wrote may be of another form. */
    private static void requireKnown(StoredRow row) {
        int needs = row.int32(NEEDS, 1, Integer.MAX_VALUE);
        if (needs > Definition.KNOWN_FEATURES) {
            throw new ProblemException(
                    ProblemType.NEEDS_NEWER_VERSION,
                    "The definition of " + name(row) + " needs a version of the app that knows features of level "
                            + needs + "; this one knows level " + Definition.KNOWN_FEATURES
                            + ". Update this instance.");
        }
    }

    static SequenceName name(StoredRow row) {
        SequenceName name = row.sequence();
        if (!RowKeys.partition(name).equals(row.partition())) {
            throw row.wrong("scope or name", "is that of " + name + ", whose definition is in another partition");
        }
        return name;
    }

    private static StoredDefinition stored(StoredRow row) {
        int maxLength = row.int32OrElse("maxLength", 0, 0, Format.MAX_TEXT_LENGTH);
        Definition definition = new Definition(
                fixed(row),
                row.int64("minValue", -Series.LARGEST_VALUE, Series.LARGEST_VALUE),
                row.int64("maxValue", -Series.LARGEST_VALUE, Series.LARGEST_VALUE),
                row.int32("cacheSize", 1, Definition.MAX_CACHE_SIZE),
                row.optional("format").map(DefinitionRows::template).orElse(null),
                maxLength == 0 ? null : (Integer) maxLength,
                row.has("dateOrder") ? row.choice("dateOrder", DateOrder.class) : DateOrder.NONE,
                remarks(row));
        long start = definition.fixed().start();
        if (start < definition.minValue() || start > definition.maxValue()) {
            throw row.wrong("start, minValue or maxValue", "is wrong: the start is not within the other two");
        }
        return new StoredDefinition(
                name(row),
                RowValues.id(row.string("id")),
                definition,
                formats(row, definition),
                row.bool(IN_USE),
                row.instantOrNull("retiredAt"),
                row.version(),
                twoDigitYearsUntil(row));
    }

    private static int twoDigitYearsUntil(StoredRow row) {
        return row.int32OrElse(
                TWO_DIGIT_YEARS_UNTIL,
                StoredDefinition.EARLIER_TWO_DIGIT_YEARS_UNTIL,
                FiscalYear.FIRST + 99,
                FiscalYear.LAST);
    }

    private static FixedFields fixed(StoredRow row) {
        Checked increment = row.int64("increment");
        if (!Series.isIncrement(increment.int64(-Series.LARGEST_INCREMENT, Series.LARGEST_INCREMENT))) {
            throw increment.refused("must be no increment of 0");
        }
        return new FixedFields(
                row.choice("guarantee", Guarantee.class),
                RowValues.number(row.int64("start")),
                increment.int64(-Series.LARGEST_INCREMENT, Series.LARGEST_INCREMENT),
                row.bool("cycle"),
                row.choice("resetEvery", ResetEvery.class),
                timeZone(row),
                row.int32("fiscalYearStart", 1, 12));
    }

    /** An earlier version that sets a zone leaves the mark that there was none. */
    private static @Nullable ZoneId timeZone(StoredRow row) {
        Checked timeZone = row.string(TIME_ZONE);
        String zone = timeZone.string(1, RowValues.MAX_ID_UNITS);
        try {
            return row.boolOrFalse(TIME_ZONE_UNSET) && zone.equals(UTC) ? null : ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw timeZone.refused("must be a zone of the IANA database, or an offset");
        }
    }

    private static Remarks remarks(StoredRow row) {
        return new Remarks(
                row.optional("description").map(DefinitionRows::remark).orElse(null),
                row.optional("contact").map(DefinitionRows::remark).orElse(null),
                row.int32OrElse("warnAtPercent", Remarks.WARN_AT_PERCENT, 1, 100));
    }

    private static String remark(Checked remark) {
        return remark.string(1, MAX_REMARK_UNITS);
    }

    private static FormatHistory formats(StoredRow row, Definition definition) {
        List<Revision> revisions = row.longJson(FORMATS).elements(0, FormatHistory.MAX_REVISIONS).stream()
                .map(DefinitionRows::revision)
                .toList();
        int current = row.int32("formatRevision", 0, FormatHistory.MAX_REVISIONS);
        if (current > revisions.size() || (current == 0) != (definition.textTemplate() == null)) {
            throw row.wrong(
                    "formatRevision, formats or format",
                    "is wrong: revision " + current + " of " + revisions.size() + " is not the present format");
        }
        return new FormatHistory(
                revisions.size() == 1 ? List.of(whole(revisions.get(0), definition)) : revisions, current);
    }

    /**
     * Earlier versions kept the numbers that a format was used for, from the first one on. Where there never was
     * another format, the whole range is as safe.
     */
    private static Revision whole(Revision only, Definition definition) {
        return new Revision(
                only.format(),
                Math.min(only.least(), definition.minValue()),
                Math.max(only.greatest(), definition.maxValue()),
                Math.max(only.maxValue(), definition.maxValue()));
    }

    private static Revision revision(Checked json) {
        List<Checked> revision = json.elements(4, 4);
        try {
            return new Revision(
                    template(revision.get(0)),
                    RowValues.number(revision.get(1)),
                    RowValues.number(revision.get(2)),
                    RowValues.number(revision.get(3)));
        } catch (IllegalArgumentException e) {
            throw json.refused("must have numbers that the format can have been used for");
        }
    }

    private static String template(Checked json) {
        String template = json.string(1, Format.MAX_TEMPLATE_LENGTH);
        try {
            Format.compile(template);
            return template;
        } catch (ProblemException e) {
            throw json.refused("must be a format");
        }
    }
}
