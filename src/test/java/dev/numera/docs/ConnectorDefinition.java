package dev.numera.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * {@code openapi.json} in OpenAPI 2.0, which custom connectors of Power Automate and Logic Apps need. That version
 * knows no alternatives, no null and one type of body in a call: alternatives become one object with the fields of all,
 * and bodies and answers are those in JSON. What it cannot say the app still checks.
 */
final class ConnectorDefinition {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JSON_TYPE = "application/json";
    private static final String SCHEMAS = "#/components/schemas/";
    /** For programs or for people, not for flows. */
    private static final Set<String> LEFT_OUT = Set.of("OpenApi", "Console", "ConsoleFile");
    /** What 2.0 does not know, and patterns, which flows do not check. */
    private static final Set<String> UNKNOWN = Set.of(
            "title", "not", "const", "pattern", "dependentRequired", "dependentSchemas", "discriminator", "mapping");
    /** Beyond it a number in JSON is not exact for everybody. */
    private static final long EXACT = (1L << 53) - 1;

    private final JsonNode source;
    private final Set<String> used = new LinkedHashSet<>();

    private ConnectorDefinition(JsonNode source) {
        this.source = source;
    }

    static ObjectNode of(JsonNode openApi) {
        return new ConnectorDefinition(openApi).make();
    }

    private ObjectNode make() {
        ObjectNode definition = JSON.createObjectNode().put("swagger", "2.0");
        ObjectNode info = definition.putObject("info");
        info.put("title", "Numera");
        info.put("description", source.at("/info/summary").textValue() + ". " + firstParagraph());
        info.set("version", source.at("/info/version"));
        definition.put("host", "APP.azurewebsites.net").put("basePath", "/api");
        definition.putArray("schemes").add("https");
        definition.putArray("consumes").add(JSON_TYPE);
        definition.putArray("produces").add(JSON_TYPE);
        definition
                .putObject("securityDefinitions")
                .putObject("api_key")
                .put("type", "apiKey")
                .put("in", "header")
                .put("name", "x-functions-key");
        definition.putArray("security").addObject().putArray("api_key");
        ObjectNode paths = definition.putObject("paths");
        source.get("paths").fields().forEachRemaining(path -> {
            ObjectNode calls = path(path.getValue());
            if (!calls.isEmpty()) {
                paths.set(path.getKey(), calls);
            }
        });
        definition.set("definitions", definitions());
        return definition;
    }

    private String firstParagraph() {
        return source.at("/info/description").textValue().split("\n\n")[0];
    }

    private ObjectNode path(JsonNode path) {
        ObjectNode calls = JSON.createObjectNode();
        path.fields().forEachRemaining(call -> {
            String id = call.getValue().path("operationId").asText();
            if (!id.isEmpty() && !LEFT_OUT.contains(id)) {
                calls.set(call.getKey(), call(path.path("parameters"), call.getValue()));
            }
        });
        return calls;
    }

    private ObjectNode call(JsonNode ofPath, JsonNode call) {
        ObjectNode made = JSON.createObjectNode();
        List.of("operationId", "summary", "description", "tags").forEach(field -> {
            if (call.has(field)) {
                made.set(field, call.get(field));
            }
        });
        if (call.path("security").isEmpty() && call.has("security")) {
            made.putArray("security");
        }
        ArrayNode parameters = made.putArray("parameters");
        ofPath.forEach(parameter -> parameters.add(parameter(resolve(parameter))));
        call.path("parameters").forEach(parameter -> parameters.add(parameter(resolve(parameter))));
        JsonNode contents = call.at("/requestBody/content");
        if (!contents.isMissingNode()) {
            String type =
                    contents.has(JSON_TYPE) ? JSON_TYPE : contents.fieldNames().next();
            made.putArray("consumes").add(type);
            ObjectNode body =
                    parameters.addObject().put("name", "body").put("in", "body").put("required", true);
            body.set("schema", schema(contents.get(type).get("schema")));
        }
        ObjectNode responses = made.putObject("responses");
        call.get("responses").fields().forEachRemaining(response -> {
            if (response.getKey().startsWith("2")) {
                responses.set(response.getKey(), response(resolve(response.getValue())));
            }
        });
        responses
                .putObject("default")
                .put("description", "A problem: its type says which, its detail what to do.")
                .set("schema", reference("AnyProblem"));
        return made;
    }

    private ObjectNode parameter(JsonNode parameter) {
        String in = parameter.get("in").textValue();
        ObjectNode made = JSON.createObjectNode();
        made.set("name", parameter.get("name"));
        made.put("in", in).put("required", parameter.path("required").booleanValue());
        made.set("description", parameter.get("description"));
        made.set("x-ms-summary", parameter.get("name"));
        if (in.equals("path")) {
            made.put("x-ms-url-encoding", "single");
        } else {
            made.put(
                    "x-ms-visibility",
                    Set.of("Idempotency-Key", "key", "date")
                                    .contains(parameter.get("name").textValue())
                            ? "important"
                            : "advanced");
        }
        schema(parameter.get("schema"))
                .fields()
                .forEachRemaining(field -> made.putIfAbsent(field.getKey(), field.getValue()));
        if (made.path("type").asText().equals("array")) {
            made.put("collectionFormat", "csv");
        }
        return made;
    }

    private ObjectNode response(JsonNode response) {
        ObjectNode made = JSON.createObjectNode();
        made.set("description", response.get("description"));
        JsonNode content = response.at("/content/application~1json");
        if (content.has("schema")) {
            made.set("schema", schema(content.get("schema")));
        }
        if (content.has("example")) {
            made.putObject("examples").set(JSON_TYPE, content.get("example"));
        }
        ObjectNode headers = JSON.createObjectNode();
        for (String name : List.of("Location", "Retry-After", "ETag")) {
            JsonNode header = resolve(response.path("headers").path(name));
            if (!header.isMissingNode()) {
                headers.set(
                        name,
                        JSON.createObjectNode()
                                .put("type", header.at("/schema/type").textValue())
                                .put("description", header.get("description").textValue()));
            }
        }
        if (!headers.isEmpty()) {
            made.set("headers", headers);
        }
        return made;
    }

    /** The schemas that calls use, and those that these use. */
    private ObjectNode definitions() {
        ObjectNode made = JSON.createObjectNode();
        List<String> left = new ArrayList<>(used);
        while (!left.isEmpty()) {
            String name = left.remove(0);
            if (!made.has(name)) {
                made.set(name, schema(source.at("/components/schemas/" + name)));
                used.stream().filter(other -> !made.has(other)).forEach(left::add);
            }
        }
        return made;
    }

    private ObjectNode schema(JsonNode schema) {
        if (schema.has("$ref")) {
            JsonNode target = resolve(schema);
            if (target.has("properties") || target.has("oneOf")) {
                return reference(schema.get("$ref").textValue().replace(SCHEMAS, ""));
            }
            ObjectNode inline = schema(target);
            if (schema.has("description")) {
                inline.set("description", schema.get("description"));
            }
            return inline;
        }
        if (schema.has("anyOf")) {
            // The last one is the one for all.
            return schema(schema.get("anyOf").get(schema.get("anyOf").size() - 1));
        }
        if (schema.has("oneOf")) {
            return merged(schema);
        }
        ObjectNode made = JSON.createObjectNode();
        schema.fields().forEachRemaining(field -> {
            if (!UNKNOWN.contains(field.getKey())) {
                put(made, field.getKey(), field.getValue());
            }
        });
        return made;
    }

    private void put(ObjectNode made, String field, JsonNode value) {
        switch (field) {
            case "type" -> type(made, value);
            case "enum" -> {
                ArrayNode values = made.putArray("enum");
                value.forEach(one -> {
                    if (!one.isNull()) {
                        values.add(one);
                    }
                });
            }
            case "properties" -> {
                ObjectNode properties = made.putObject("properties");
                value.fields().forEachRemaining(each -> properties.set(each.getKey(), schema(each.getValue())));
            }
            case "items" -> made.set("items", schema(value));
            case "minimum", "maximum" -> {
                if (Math.abs(value.asLong()) <= EXACT) {
                    made.set(field, value);
                }
            }
            default -> made.set(field, value);
        }
    }

    /** Several types, but for null, are any. */
    private static void type(ObjectNode made, JsonNode type) {
        if (!type.isArray()) {
            made.set("type", type);
            return;
        }
        List<String> types = StreamSupport.stream(type.spliterator(), false)
                .map(JsonNode::textValue)
                .filter(one -> !one.equals("null"))
                .toList();
        if (types.size() < type.size()) {
            made.put("x-nullable", true);
        }
        if (types.size() == 1) {
            made.put("type", types.get(0));
        }
    }

    /** One object for all: with the fields of each, and required what each requires. */
    private ObjectNode merged(JsonNode choice) {
        ObjectNode made = JSON.createObjectNode().put("type", "object");
        ObjectNode properties = JSON.createObjectNode();
        Set<String> required = new LinkedHashSet<>();
        boolean isFirst = true;
        for (JsonNode one : choice.get("oneOf")) {
            JsonNode object = resolve(one);
            Set<String> own = new LinkedHashSet<>();
            object.path("required").forEach(name -> own.add(name.textValue()));
            if (isFirst) {
                required.addAll(own);
            } else {
                required.retainAll(own);
            }
            isFirst = false;
            for (Iterator<Map.Entry<String, JsonNode>> all =
                            object.get("properties").fields();
                    all.hasNext(); ) {
                Map.Entry<String, JsonNode> property = all.next();
                ObjectNode known = (ObjectNode) properties.get(property.getKey());
                ObjectNode schema = schema(property.getValue());
                if (known != null && known.has("enum") && schema.has("enum")) {
                    addMissing(known.withArray("enum"), schema.get("enum"));
                } else {
                    properties.set(property.getKey(), schema);
                }
            }
        }
        if (choice.has("description")) {
            made.set("description", choice.get("description"));
        }
        if (!required.isEmpty()) {
            required.forEach(made.putArray("required")::add);
        }
        made.set("properties", properties);
        return made;
    }

    private static void addMissing(ArrayNode values, JsonNode more) {
        Set<JsonNode> known = new LinkedHashSet<>();
        values.forEach(known::add);
        more.forEach(value -> {
            if (known.add(value)) {
                values.add(value);
            }
        });
    }

    private ObjectNode reference(String name) {
        used.add(name);
        return JSON.createObjectNode().put("$ref", "#/definitions/" + name);
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? source.at(node.get("$ref").textValue().substring(1)) : node;
    }
}
