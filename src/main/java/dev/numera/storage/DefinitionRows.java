package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.format.Format;
import dev.numera.format.ResetEvery;
import dev.numera.format.Revision;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import dev.numera.sequence.Definition;
import dev.numera.sequence.FormatHistory;
import dev.numera.sequence.StoredDefinition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How definitions stand in storage: a public contract, described in docs/tables.md. */
final class DefinitionRows {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String IN_USE = "inUse";
    private static final String NEEDS = "needs";

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
                .addProperty("guarantee", lowerCase(definition.guarantee()))
                .addProperty("start", definition.start())
                .addProperty("increment", definition.increment())
                .addProperty("minValue", definition.minValue())
                .addProperty("maxValue", definition.maxValue())
                .addProperty("cycle", definition.cycle())
                .addProperty("cacheSize", definition.cacheSize())
                .addProperty("resetEvery", lowerCase(definition.resetEvery()))
                .addProperty("timeZone", definition.timeZone().getId())
                .addProperty("fiscalYearStart", definition.fiscalYearStart())
                .addProperty("formatRevision", stored.formats().current());
        LongText.put(row, "formats", revisions(stored.formats()).toString());
        if (definition.format() != null) {
            row.addProperty("format", definition.format());
        }
        return stored.isRetired() ? row.addProperty("retiredAt", stored.retiredAt().toString()) : row;
    }

    private static ArrayNode revisions(FormatHistory formats) {
        ArrayNode json = JSON.createArrayNode();
        for (Revision revision : formats.revisions()) {
            json.addArray().add(revision.format()).add(revision.least()).add(revision.greatest()).add(revision.maxValue());
        }
        return json;
    }

    /**
     * Other programs may write definitions, so what stands there is checked.
     *
     * @throws ProblemException {@code needs-newer-version}
     */
    static StoredDefinition read(TableEntity row) {
        requireKnown(row);
        try {
            StoredDefinition stored = stored(row);
            stored.formats().revisions().forEach(revision -> Format.compile(revision.format()));
            stored.definition().series();
            if (stored.definition().cacheSize() < 1) {
                throw unreadable(row, "its property cacheSize is less than 1", null);
            }
            return stored;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw unreadable(row, e.getMessage(), e);
        } catch (JsonProcessingException e) {
            throw unreadable(row, "its property formats0 is no JSON array of revisions", e);
        }
    }

    /** Before anything else is read: what a newer version wrote may be of another form. */
    private static void requireKnown(TableEntity row) {
        int needs = property(row, NEEDS, Integer.class);
        if (needs > Definition.KNOWN_FEATURES) {
            throw new ProblemException(ProblemType.NEEDS_NEWER_VERSION, "The definition of " + name(row) + " needs a version of the app that"
                    + " knows features of level " + needs + "; this one knows level " + Definition.KNOWN_FEATURES + ". Update this instance.");
        }
    }

    static SequenceName name(TableEntity row) {
        try {
            return new SequenceName(property(row, "scope", String.class), property(row, "name", String.class));
        } catch (ProblemException e) {
            throw unreadable(row, e.getMessage(), e);
        }
    }

    private static StoredDefinition stored(TableEntity row) throws JsonProcessingException {
        Definition definition = new Definition(
                choice(row, "guarantee", Guarantee.class),
                property(row, "start", Long.class),
                property(row, "increment", Long.class),
                property(row, "minValue", Long.class),
                property(row, "maxValue", Long.class),
                property(row, "cycle", Boolean.class),
                property(row, "cacheSize", Integer.class),
                ifThere(row, "format"),
                choice(row, "resetEvery", ResetEvery.class),
                ZoneId.of(property(row, "timeZone", String.class)),
                property(row, "fiscalYearStart", Integer.class));
        String retiredAt = ifThere(row, "retiredAt");
        return new StoredDefinition(name(row), property(row, "id", String.class), definition, formats(row), property(row, IN_USE, Boolean.class),
                retiredAt == null ? null : Instant.parse(retiredAt), Table.version(row));
    }

    private static FormatHistory formats(TableEntity row) throws JsonProcessingException {
        List<Revision> revisions = new ArrayList<>();
        for (JsonNode json : JSON.readTree(LongText.get(row, "formats"))) {
            revisions.add(new Revision(json.path(0).asText(), json.path(1).longValue(), json.path(2).longValue(), json.path(3).longValue()));
        }
        int current = property(row, "formatRevision", Integer.class);
        if (current < 0 || current > revisions.size()) {
            throw unreadable(row, "its property formatRevision is " + current + " of " + revisions.size(), null);
        }
        return new FormatHistory(revisions, current);
    }

    private static String ifThere(TableEntity row, String name) {
        return row.getProperty(name) == null ? null : property(row, name, String.class);
    }

    private static <T> T property(TableEntity row, String name, Class<T> type) {
        Object value = row.getProperty(name);
        if (!type.isInstance(value)) {
            String wanted = type == Long.class ? "Int64" : type == Integer.class ? "Int32" : type.getSimpleName();
            throw unreadable(row, "its property " + name + " is " + (value == null ? "missing" : "no " + wanted), null);
        }
        return type.cast(value);
    }

    private static <E extends Enum<E>> E choice(TableEntity row, String name, Class<E> choices) {
        String value = property(row, name, String.class);
        return Arrays.stream(choices.getEnumConstants())
                .filter(choice -> lowerCase(choice).equals(value))
                .findFirst()
                .orElseThrow(() -> unreadable(row, "its property " + name + " is '" + value + "'", null));
    }

    private static StoreFailure unreadable(TableEntity row, String why, Exception cause) {
        return new StoreFailure("The row " + row.getRowKey() + " of " + row.getPartitionKey() + " in table " + TableNames.COUNTERS
                + " was written by another program and cannot be read: " + why + ". See docs/tables.md.", false, cause);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
