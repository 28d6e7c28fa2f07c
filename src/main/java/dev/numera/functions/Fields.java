package dev.numera.functions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.numera.problem.ProblemException;
import dev.numera.problem.Word;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object, in the order in which they are put. A field without a value is left out. */
public final class Fields {
    private final ObjectNode json = Json.object();

    /** @param value null to leave the field out; an enum is written as its {@link Word}, a time as in ISO 8601 */
    public Fields put(String name, @Nullable Object value) {
        if (value != null) {
            json.set(name, node(value));
        }
        return this;
    }

    /** @param period empty, which leaves the field out, where the sequence is never reset */
    public Fields putPeriod(String period) {
        return put("period", period.isEmpty() ? null : period);
    }

    public Fields putAll(Map<String, ?> fields) {
        fields.forEach(this::put);
        return this;
    }

    /** An array with an object for each item. */
    public <T> Fields putEach(String name, Collection<T> items, Function<T, ObjectNode> write) {
        return put(
                name, Json.object().arrayNode().addAll(items.stream().map(write).toList()));
    }

    public ObjectNode json() {
        return json;
    }

    private static JsonNode node(Object value) {
        if (value instanceof JsonNode node) {
            return node;
        } else if (value instanceof ProblemException problem) {
            return Json.of(problem);
        } else if (value instanceof Enum<?> constant) {
            return TextNode.valueOf(Word.of(constant));
        } else if (value instanceof Temporal) {
            return TextNode.valueOf(value.toString());
        } else if (value instanceof Double number) {
            return DoubleNode.valueOf(number);
        }
        // An allocation has up to 10,000 texts: they are not copied.
        return value instanceof List<?> list ? new POJONode(list) : Json.of(value);
    }
}
