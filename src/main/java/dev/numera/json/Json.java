package dev.numera.json;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import dev.numera.core.problem.EnumWord;
import java.time.temporal.Temporal;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The strict JSON parser and writer. Enums are written as their {@link EnumWord}, times as in ISO 8601, and records as
 * objects of the components that are not null. Thread-safe.
 */
public final class Json {
    /**
     * Deep enough for everything that is stored: the deepest tree, a refusal with an allocation in the answers of an
     * upload, has six levels.
     */
    private static final int MAX_DEPTH = 16;

    private static final JsonMapper MAPPER = JsonMapper.builder(
                    factory(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH)))
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .defaultPropertyInclusion(JsonInclude.Value.construct(NON_NULL, ALWAYS))
            .addModule(new SimpleModule()
                    .addSerializer(Temporal.class, ToStringSerializer.instance)
                    .addSerializer(new EnumWords()))
            .build();

    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};

    private static final class EnumWords extends ToStringSerializerBase {
        private static final long serialVersionUID = 1;

        EnumWords() {
            super(Enum.class);
        }

        @Override
        public String valueToString(Object constant) {
            return EnumWord.of((Enum<?>) constant);
        }
    }

    private Json() {}

    private static JsonFactory factory(StreamReadConstraints.Builder constraints) {
        return JsonFactory.builder()
                .streamReadConstraints(constraints.build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
    }

    /**
     * Parses a short text.
     *
     * @throws JsonProcessingException the text is not one JSON value as RFC 8259 defines it, names a field twice, nests
     *     deeper than {@value #MAX_DEPTH}, or has a number with an exponent beyond 32 bits
     */
    public static JsonNode read(String text) throws JsonProcessingException {
        return read(MAPPER.reader(), text);
    }

    /**
     * Parses a text that may be long. Limits its tokens, because a tree takes up to a hundred bytes for each token of
     * three characters.
     *
     * @throws JsonProcessingException the text is not one JSON value, names a field twice, has more tokens, or has a
     *     number with an exponent beyond 32 bits
     */
    public static JsonNode read(String text, long maxTokens) throws JsonProcessingException {
        return read(MAPPER.reader().with(factory(StreamReadConstraints.builder().maxTokenCount(maxTokens))), text);
    }

    private static JsonNode read(ObjectReader reader, String text) throws JsonProcessingException {
        try {
            return reader.readTree(text);
        } catch (NumberFormatException e) {
            // Jackson does not catch this exception of BigDecimal.
            throw new JsonParseException(null, "a number has an exponent out of range", e);
        }
    }

    /**
     * Returns the value of a whole number within 64 bits. JSON does not distinguish 5.0 from 5, and some clients only
     * write 5.0.
     */
    public static OptionalLong whole(JsonNode value) {
        boolean isWhole = value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToLong();
        return isWhole ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static Map<String, Object> members(JsonNode object) {
        return MAPPER.convertValue(object, MEMBERS);
    }

    /**
     * Converts a value to JSON.
     *
     * @param value a string, number, boolean, enum, time or record, or a list or map of these
     */
    public static JsonNode of(Object value) {
        // Skips the mapper for the types of most fields, because it looks up a serializer for each value.
        if (value instanceof String text) {
            return TextNode.valueOf(text);
        } else if (value instanceof Temporal time) {
            return TextNode.valueOf(time.toString());
        } else if (value instanceof Enum<?> constant) {
            return TextNode.valueOf(EnumWord.of(constant));
        }
        return value instanceof Long number ? LongNode.valueOf(number) : MAPPER.valueToTree(value);
    }
}
