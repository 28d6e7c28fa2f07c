package dev.numera.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** The strict parser, and the trees to write. Thread-safe. */
public final class Json {
    /** A problem in the answer to an upload's row, with an allocation in it, has the deepest tree: six. */
    private static final int MAX_DEPTH = 16;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};

    private Json() {}

    /**
     * @throws JsonProcessingException if it is not one JSON value as RFC 8259 has them, names a field twice, or nests
     *     deeper than {@value #MAX_DEPTH}
     */
    public static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
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

    /** @param value strings, numbers, booleans, and lists or maps of them */
    public static JsonNode of(Object value) {
        return MAPPER.valueToTree(value);
    }
}
