package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.counter.FixedFields;
import dev.numera.counter.Guarantee;
import dev.numera.counter.SequenceName;
import dev.numera.counter.WriteResult;
import dev.numera.sequence.Definition;
import dev.numera.sequence.DefinitionStore;
import dev.numera.sequence.ResetEvery;
import dev.numera.sequence.StoredDefinition;
import java.time.Instant;
import java.time.ZoneId;
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

    private static StoredDefinition definition(TableEntity row) {
        Definition definition = new Definition(
                Guarantee.valueOf(upperCase(row, "guarantee")),
                (Long) row.getProperty("start"),
                (Long) row.getProperty("increment"),
                (Long) row.getProperty("minValue"),
                (Long) row.getProperty("maxValue"),
                (Boolean) row.getProperty("cycle"),
                (Integer) row.getProperty("cacheSize"),
                (String) row.getProperty("format"),
                ResetEvery.valueOf(upperCase(row, "resetEvery")),
                ZoneId.of((String) row.getProperty("timeZone")),
                (Integer) row.getProperty("fiscalYearStart"));
        String retiredAt = (String) row.getProperty("retiredAt");
        return new StoredDefinition(new SequenceName(row.getPartitionKey(), row.getRowKey()), definition, formats(row),
                retiredAt == null ? null : Instant.parse(retiredAt), Table.version(row));
    }

    private static List<String> formats(TableEntity row) {
        try {
            return List.of(JSON.readValue((String) row.getProperty("formats"), String[].class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The definition " + row.getPartitionKey() + "/" + row.getRowKey()
                    + " was changed by another program: its formats are not a JSON array.", e);
        }
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String upperCase(TableEntity row, String property) {
        return ((String) row.getProperty(property)).toUpperCase(Locale.ROOT);
    }
}
