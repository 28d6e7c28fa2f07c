package dev.numera.functions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.batch.Uploads;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Numbers;
import java.util.OptionalLong;

/** JSON as it goes over HTTP and through queues. */
public final class Json {
    /**
     * Two for each key of the longest upload: a tree takes up to a hundred bytes for each token of three characters.
     */
    private static final int MAX_TOKENS = 2 * Uploads.MAX_ITEMS;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).build())
            .build();
    private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /**
     * @throws JsonProcessingException if it is not one JSON value, names a field twice, or has more than
     *     {@value #MAX_TOKENS} tokens
     */
    public static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /**
     * The value if it is a whole number within 64 bits. To JSON 5.0 is as whole as 5, and some clients write no other.
     */
    public static OptionalLong whole(JsonNode value) {
        boolean isWhole = value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToLong();
        return isWhole ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    public static JsonNode of(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** An allocation, in the form that it has everywhere. */
    public static ObjectNode of(Numbers numbers) {
        return new Fields().putAll(numbers.members()).json();
    }

    /** A key that could not be numbered, in the place of its allocation. */
    public static ObjectNode refused(String key, ProblemException problem) {
        return new Fields().put("key", key).put("problem", problem).json();
    }

    /** A problem as in RFC 9457. */
    public static ObjectNode of(ProblemException problem) {
        Fields fields = new Fields()
                .put("type", problem.type().urn())
                .put("title", problem.type().title())
                .put("status", problem.type().status())
                .put("detail", problem.getMessage());
        problem.members().forEach((name, value) -> fields.put(name, of(value)));
        return fields.json();
    }
}
