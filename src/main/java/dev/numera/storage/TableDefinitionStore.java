package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.counter.WriteResult;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Definition;
import dev.numera.sequence.DefinitionStore;
import dev.numera.sequence.Format;
import dev.numera.sequence.ResetEvery;
import dev.numera.sequence.StoredDefinition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Definitions in the table {@value TableNames#SEQUENCES}: the scope's partition, the name's row. */
final class TableDefinitionStore implements DefinitionStore {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Table sequences;
    private final TableCounterStore counters;

    TableDefinitionStore(Table sequences, TableCounterStore counters) {
        this.sequences = sequences;
        this.counters = counters;
    }

    @Override
    public Optional<StoredDefinition> find(SequenceName name) {
        return sequences.find(name.scope(), name.name()).map(TableDefinitionStore::definition);
    }

    @Override
    public WriteResult insert(StoredDefinition definition) {
        return sequences.insert(row(definition));
    }

    @Override
    public WriteResult replace(StoredDefinition definition) {
        return sequences.replace(row(definition), definition.version());
    }

    @Override
    public Optional<FixedFields> pinned(SequenceName name) {
        return counters.pinned(name);
    }

    @Override
    public List<String> periods(SequenceName name) {
        return counters.periods(name);
    }

    @Override
    public Page list(String scope, int limit, String continuation) {
        Table.Page page = sequences.list(scope == null ? null : Table.partitionIs(scope), limit, continuation);
        return new Page(page.rows().stream().map(TableDefinitionStore::definition).toList(), page.continuation());
    }

    private static TableEntity row(StoredDefinition stored) {
        Definition definition = stored.definition();
        TableEntity row = new TableEntity(stored.name().scope(), stored.name().name())
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
                .addProperty("formats", JSON.valueToTree(stored.formats()).toString());
        if (definition.format() != null) {
            row.addProperty("format", definition.format());
        }
        return stored.isRetired() ? row.addProperty("retiredAt", stored.retiredAt().toString()) : row;
    }

    /** Other programs may write definitions, so what stands there is checked. */
    private static StoredDefinition definition(TableEntity row) {
        try {
            StoredDefinition stored = read(row);
            stored.formats().forEach(Format::compile);
            stored.definition().series();
            if (stored.definition().cacheSize() < 1) {
                throw unreadable(row, "its property cacheSize is less than 1", null);
            }
            return stored;
        } catch (IllegalArgumentException | DateTimeException | ProblemException e) {
            throw unreadable(row, e.getMessage(), e);
        } catch (JsonProcessingException e) {
            throw unreadable(row, "its property formats is no JSON array of texts", e);
        }
    }

    private static StoredDefinition read(TableEntity row) throws JsonProcessingException {
        String format = ifThere(row, "format");
        List<String> formats = List.of(JSON.readValue(property(row, "formats", String.class), String[].class));
        if (format != null && !formats.contains(format)) {
            throw unreadable(row, "its property formats lacks the format " + format, null);
        }
        Definition definition = new Definition(
                choice(row, "guarantee", Guarantee.class),
                property(row, "start", Long.class),
                property(row, "increment", Long.class),
                property(row, "minValue", Long.class),
                property(row, "maxValue", Long.class),
                property(row, "cycle", Boolean.class),
                property(row, "cacheSize", Integer.class),
                format,
                choice(row, "resetEvery", ResetEvery.class),
                ZoneId.of(property(row, "timeZone", String.class)),
                property(row, "fiscalYearStart", Integer.class));
        String retiredAt = ifThere(row, "retiredAt");
        return new StoredDefinition(new SequenceName(row.getPartitionKey(), row.getRowKey()), definition, formats,
                retiredAt == null ? null : Instant.parse(retiredAt), Table.version(row));
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
        return new StoreFailure("The row " + row.getPartitionKey() + "/" + row.getRowKey() + " in table " + TableNames.SEQUENCES
                + " was written by another program and cannot be read: " + why + ". See docs/tables.md.", false, cause);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
