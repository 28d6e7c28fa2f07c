package dev.numera.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object, in the order in which they are put. A field without a value is left out. */
public final class Fields {
    private final ObjectNode json = Json.object();

    /** An object of these. */
    public static ObjectNode of(Map<String, ?> fields) {
        return new Fields().putAll(fields).json();
    }

    /** The JSON of an entry, or the problem in its place. */
    public static <T> ObjectNode ofAnswer(Result<T> result, Function<? super T, ObjectNode> form) {
        return result.isRefused()
                ? new Fields().put("problem", result.refusal()).json()
                : form.apply(result.orThrow());
    }

    /** A key that could not be numbered, in the place of its allocation. */
    public static ObjectNode refused(String key, ProblemException problem) {
        return new Fields().put("key", key).put("problem", problem).json();
    }

    /** A problem as in RFC 9457. */
    public static ObjectNode of(ProblemException problem) {
        return new Fields()
                .put("type", problem.type().urn())
                .put("title", problem.type().title())
                .put("status", problem.type().status())
                .put("detail", problem.getMessage())
                .putAll(problem.members())
                .json();
    }

    /** @param value null to leave the field out; else a problem, or what {@link Json#of} writes */
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
        return put(name, Json.array().addAll(items.stream().map(write).toList()));
    }

    public ObjectNode json() {
        return json;
    }

    private static JsonNode node(Object value) {
        if (value instanceof JsonNode node) {
            return node;
        } else if (value instanceof ProblemException problem) {
            return of(problem);
        } else if (value instanceof Double number) {
            return DoubleNode.valueOf(number);
        }
        // An allocation has up to 10,000 texts: they are not copied.
        return value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof String
                ? new POJONode(list)
                : Json.of(value);
    }
}
