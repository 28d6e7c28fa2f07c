package dev.numera.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.numera.core.problem.Actor;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.Result;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a JSON object with its fields in the order of the calls. A field without a value is left out. Not thread-safe.
 */
public final class Fields {
    private final ObjectNode json = Json.object();

    /** Returns an object with these fields. */
    public static ObjectNode of(Map<String, ?> fields) {
        return new Fields().putAll(fields).json();
    }

    /** Returns the JSON of an entry, or an object with the problem in its place. */
    public static <T> ObjectNode ofAnswer(Result<T> result, Function<? super T, ObjectNode> form) {
        return result.isRefused()
                ? new Fields().put("problem", result.refusal()).json()
                : form.apply(result.orThrow());
    }

    /** Returns a key and the problem that refused its number, in the place of an allocation. */
    public static ObjectNode refused(String key, ProblemException problem) {
        return new Fields().put("key", key).put("problem", problem).json();
    }

    /** Returns a problem as RFC 9457 defines it. */
    public static ObjectNode of(ProblemException problem) {
        return new Fields()
                .put("type", problem.type().urn())
                .put("title", problem.type().title())
                .put("status", problem.type().status())
                .put("detail", problem.getMessage())
                .putAll(problem.members())
                .json();
    }

    /** @param value null to leave the field out; otherwise a problem, or a value that {@link Json#of} accepts */
    public Fields put(String name, @Nullable Object value) {
        if (value != null) {
            json.set(name, node(value));
        }
        return this;
    }

    /** @param period empty if the sequence is never reset, which leaves the field out */
    public Fields putPeriod(String period) {
        return put("period", period.isEmpty() ? null : period);
    }

    /**
     * Puts the name and the id of an actor.
     *
     * @param stored as {@link Actor} stores it; null to leave both fields out
     */
    public Fields putActor(@Nullable String stored) {
        return stored == null ? this : putAll(Actor.fields("actor", stored));
    }

    public Fields putAll(Map<String, ?> fields) {
        fields.forEach(this::put);
        return this;
    }

    /** Puts an array with an object for each item. */
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
        } else if (value instanceof String text) {
            return TextNode.valueOf(text);
        } else if (value instanceof Long number) {
            return LongNode.valueOf(number);
        } else if (value instanceof Integer number) {
            return IntNode.valueOf(number);
        } else if (value instanceof Double number) {
            return DoubleNode.valueOf(number);
        }
        // Avoids copying the list, because an allocation has up to 10,000 texts.
        return value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof String
                ? new POJONode(list)
                : Json.of(value);
    }
}
