package dev.numera.localhost;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the top-level properties of a JSON object, which a host offers to {@code @BindingName}, except arrays and
 * nulls.
 */
final class JsonProperties {
    private JsonProperties() {}

    /** Returns nothing for a text that is not a JSON object. */
    static Map<String, Object> of(String text) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonElement> property : parse(text).entrySet()) {
            JsonElement value = property.getValue();
            if (value.isJsonPrimitive()) {
                values.put(property.getKey(), value.getAsString());
            } else if (value.isJsonObject()) {
                values.put(property.getKey(), value.toString());
            }
        }
        return values;
    }

    private static JsonObject parse(String text) {
        try {
            return text.stripLeading().startsWith("{")
                    ? JsonParser.parseString(text).getAsJsonObject()
                    : new JsonObject();
        } catch (JsonParseException notJson) {
            return new JsonObject();
        }
    }
}
