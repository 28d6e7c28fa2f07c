package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.numera.execution.StoreFailure;
import dev.numera.json.Checked;
import dev.numera.json.Json;
import dev.numera.model.SequenceName;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read. Other programs may write rows, so whatever is taken from one is {@link Checked}: what is
 * missing, of another type or out of bounds is a {@link StoreFailure} that names table, row and property. Properties
 * that nobody asks for may be there: see docs/tables.md.
 */
record StoredRow(String table, TableEntity entity) {
    private static final int MAX_SHOWN_NAME_UNITS = 200;
    private static final int MAX_NAME_UNITS = 100;

    String partition() {
        return entity.getPartitionKey();
    }

    String row() {
        return entity.getRowKey();
    }

    String version() {
        return Table.version(entity);
    }

    /** By the store's own time. */
    Instant changedAt() {
        return entity.getTimestamp().toInstant();
    }

    boolean has(String property) {
        return entity.getProperty(property) != null;
    }

    Checked string(String property) {
        return property(property, String.class);
    }

    /** A string that is missing or empty where there is none: a row is changed by merges, which take nothing away. */
    Optional<Checked> optional(String property) {
        return "".equals(entity.getProperty(property)) || !has(property)
                ? Optional.empty()
                : Optional.of(string(property));
    }

    String text(String property, int least, int most) {
        return string(property).string(least, most);
    }

    Checked int64(String property) {
        return property(property, Long.class);
    }

    long int64(String property, long least, long most) {
        return int64(property).int64(least, most);
    }

    @Nullable
    Long int64OrNull(String property, long least, long most) {
        return has(property) ? (Long) int64(property, least, most) : null;
    }

    int int32(String property, int least, int most) {
        return property(property, Integer.class).int32(least, most);
    }

    /** @param byDefault where the row is from before there was such a property */
    int int32OrElse(String property, int byDefault, int least, int most) {
        return has(property) ? int32(property, least, most) : byDefault;
    }

    /** Where the row is from before there was such a property, it is false. */
    boolean boolOrFalse(String property) {
        return has(property) && bool(property);
    }

    boolean bool(String property) {
        return property(property, Boolean.class).bool();
    }

    Instant instant(String property) {
        return string(property).instant();
    }

    @Nullable
    Instant instantOrNull(String property) {
        return optional(property).map(Checked::instant).orElse(null);
    }

    @Nullable
    LocalDate dateOrNull(String property) {
        return optional(property).map(Checked::date).orElse(null);
    }

    /** The sequence whose name the properties {@code scope} and {@code name} hold. */
    SequenceName sequence() {
        return sequence("scope or name", text("scope", 0, MAX_NAME_UNITS), text("name", 0, MAX_NAME_UNITS));
    }

    /** The sequence of a name that some properties hold. */
    SequenceName sequence(String properties, String scope, String name) {
        try {
            return new SequenceName(scope, name);
        } catch (ProblemException e) {
            throw wrong(properties, "is '" + shown(scope + "/" + name) + "', which is no name of a sequence");
        }
    }

    /** A constant whose name is written there in lower case, with hyphens. */
    <E extends Enum<E>> E choice(String property, Class<E> choices) {
        return word(string(property), choices);
    }

    static <E extends Enum<E>> E word(Checked value, Class<E> choices) {
        return Word.find(value.string(0, Integer.MAX_VALUE), choices)
                .orElseThrow(() -> value.refused("must be one of " + Word.list(choices)));
    }

    /** JSON in one property. */
    Checked json(String property) {
        return Checked.parse(text(property, 0, Integer.MAX_VALUE), property, this::wrong);
    }

    /** As {@link #json}, in as many properties as {@link LongText} needed. */
    Checked longJson(String property) {
        return Checked.parse(LongText.get(this, property), property, this::wrong);
    }

    /**
     * Refuses a row that is found by another name than the one that its properties make.
     *
     * @param properties of which the name is made, as in "first or last"
     */
    void requireName(String name, String properties) {
        if (!row().equals(name)) {
            throw wrong(properties, "is that of another row, " + shown(name));
        }
    }

    StoreFailure wrong(String property, String why) {
        return new StoreFailure(
                "The row " + row() + " of " + partition() + " in table " + table
                        + " was written by another program and cannot be read: its property " + property + " " + why
                        + ". See docs/tables.md.",
                false,
                null);
    }

    private static String shown(String name) {
        return name.length() <= MAX_SHOWN_NAME_UNITS ? name : name.substring(0, MAX_SHOWN_NAME_UNITS) + "…";
    }

    /** @param type String, Boolean, Integer or Long */
    Checked property(String name, Class<?> type) {
        String edmType = type == Long.class ? "Int64" : type == Integer.class ? "Int32" : type.getSimpleName();
        Object value = entity.getProperty(name);
        if (value != null && !type.isInstance(value)) {
            throw wrong(name, "is no " + edmType);
        }
        JsonNode node = value == null ? MissingNode.getInstance() : Json.of(value);
        return Checked.of(node, name, this::wrong);
    }
}
