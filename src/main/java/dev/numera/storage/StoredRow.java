package dev.numera.storage;

import com.azure.data.tables.models.TableEntity;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.counter.SequenceName;
import dev.numera.counter.StoreFailure;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read. Other programs may write rows, so whatever is taken from one is checked: what is missing or of
 * another type is a {@link StoreFailure} that names table, row and property. Properties that nobody asks for may be
 * there: see docs/tables.md.
 */
record StoredRow(String table, TableEntity entity) {
    private static final ObjectMapper JSON = new ObjectMapper();

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

    String text(String property) {
        return property(property, String.class, "String");
    }

    /** A text that is missing or empty where there is none: a row is changed by merges, which take nothing away. */
    @Nullable
    String textOrNull(String property) {
        return has(property) && !text(property).isEmpty() ? text(property) : null;
    }

    long int64(String property) {
        return property(property, Long.class, "Int64");
    }

    @Nullable
    Long int64OrNull(String property) {
        return has(property) ? (Long) int64(property) : null;
    }

    /** @param byDefault where the row is from before there was such a property */
    long int64OrElse(String property, long byDefault) {
        return has(property) ? int64(property) : byDefault;
    }

    int int32(String property) {
        return property(property, Integer.class, "Int32");
    }

    /** @param byDefault where the row is from before there was such a property */
    int int32OrElse(String property, int byDefault) {
        return has(property) ? int32(property) : byDefault;
    }

    /** Where the row is from before there was such a property, it is false. */
    boolean boolOrFalse(String property) {
        return has(property) && bool(property);
    }

    boolean bool(String property) {
        return property(property, Boolean.class, "Boolean");
    }

    Instant instant(String property) {
        return parsed(property, text(property), Instant::parse);
    }

    @Nullable
    Instant instantOrNull(String property) {
        String text = textOrNull(property);
        return text == null ? null : parsed(property, text, Instant::parse);
    }

    LocalDate date(String property) {
        return parsed(property, text(property), LocalDate::parse);
    }

    @Nullable
    LocalDate dateOrNull(String property) {
        String text = textOrNull(property);
        return text == null ? null : parsed(property, text, LocalDate::parse);
    }

    /** The sequence of a name that keys or properties of this row give. */
    SequenceName sequence(String scope, String name) {
        try {
            return new SequenceName(scope, name);
        } catch (ProblemException e) {
            throw unreadable("'" + scope + "/" + name + "' is no name of a sequence", e);
        }
    }

    /** A constant whose name stands there in lower case, with hyphens. */
    <E extends Enum<E>> E choice(String property, Class<E> choices) {
        return choice(property, text(property), choices);
    }

    private <E extends Enum<E>> E choice(String property, String value, Class<E> choices) {
        return Word.find(value, choices)
                .orElseThrow(() -> unreadable("its property " + property + " is '" + value + "'", null));
    }

    /** An array of arrays, in one property. */
    JsonNode json(String property) {
        return array(property, text(property));
    }

    /** As {@link #json}, in as many properties as {@link LongText} needed. */
    JsonNode longJson(String property) {
        return array(property + "0", LongText.get(this, property));
    }

    /** A text within the JSON of a property. */
    String text(String property, JsonNode json) {
        requireKind(json.isTextual(), "text", property);
        return json.textValue();
    }

    /** An array of texts within the JSON of a property. */
    List<String> texts(String property, JsonNode json) {
        requireKind(json.isArray(), "array", property);
        List<String> texts = new ArrayList<>();
        json.forEach(text -> texts.add(text(property, text)));
        return texts;
    }

    /** A number within the JSON of a property. */
    long int64(String property, JsonNode json) {
        requireKind(json.isIntegralNumber() && json.canConvertToLong(), "Int64", property);
        return json.longValue();
    }

    int int32(String property, JsonNode json) {
        requireKind(json.isIntegralNumber() && json.canConvertToInt(), "Int32", property);
        return json.intValue();
    }

    Instant instant(String property, JsonNode json) {
        return parsed(property, text(property, json), Instant::parse);
    }

    LocalDate date(String property, JsonNode json) {
        return parsed(property, text(property, json), LocalDate::parse);
    }

    <E extends Enum<E>> E choice(String property, JsonNode json, Class<E> choices) {
        return choice(property, text(property, json), choices);
    }

    private void requireKind(boolean isIt, String kind, String property) {
        if (!isIt) {
            throw unreadable("its property " + property + " has no " + kind + " where one belongs", null);
        }
    }

    private JsonNode array(String property, String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (json.isArray()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            // Falls through: no JSON is as unreadable as another kind of it.
        }
        throw unreadable("its property " + property + " is no JSON array", null);
    }

    private <T> T parsed(String property, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (DateTimeException e) {
            throw unreadable("its property " + property + " is '" + text + "'", e);
        }
    }

    private <T> T property(String name, Class<T> type, String edmType) {
        Object value = entity.getProperty(name);
        if (!type.isInstance(value)) {
            throw unreadable("its property " + name + " is " + (value == null ? "missing" : "no " + edmType), null);
        }
        return type.cast(value);
    }

    StoreFailure unreadable(String why, @Nullable Exception cause) {
        return new StoreFailure(
                "The row " + row() + " of " + partition() + " in table " + table
                        + " was written by another program and cannot be read: " + why + ". See docs/tables.md.",
                false,
                cause);
    }
}
