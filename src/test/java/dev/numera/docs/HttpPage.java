package dev.numera.docs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.OpenApiDocument.Operation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reference of {@code docs/http.md}: what {@code openapi.json} says, for people. */
final class HttpPage {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;
    private static final String PROBLEM = "urn:problem-type:numera:";
    private static final String BASE = "http://127.0.0.1:7071/api";
    private static final String JSON_TYPE = "application/json";
    /** An example that is longer is written on several lines. */
    private static final int LINE = 130;

    /** What ends or changes the sequence of the examples comes after the others, then what is not about sequences. */
    private static final List<String> LAST = List.of(
            "ImportNumbers",
            "ReadImport",
            "PatchDefinition",
            "ChangeStatus",
            "Retire",
            "Health",
            "Console",
            "ConsoleFile",
            "OpenApi");

    /** As they are sent, and as they are answered: one table is enough. */
    private static final Set<String> DEFINITIONS = Set.of("Definition", "DefinitionChange");

    private HttpPage() {}

    /** @param template with {@code {{contents}}}, {@code {{calls}}} and so on where the reference belongs */
    static String fill(String template) {
        return template.replace("{{contents}}", contents())
                .replace("{{calls}}", calls())
                .replace("{{definition}}", fields(schema("DefinitionChange")))
                .replace("{{objects}}", objects())
                .replace("{{problems}}", problems());
    }

    private static String contents() {
        StringBuilder table = new StringBuilder("| call | |\n|---|---|\n");
        operations().forEach(operation -> table.append("| [`")
                .append(title(operation))
                .append("`](#")
                .append(anchor(title(operation)))
                .append(") | ")
                .append(operation.json().get("summary").textValue())
                .append(" |\n"));
        return table.toString().strip();
    }

    private static String calls() {
        return operations().map(HttpPage::call).collect(Collectors.joining("\n\n"));
    }

    private static Stream<Operation> operations() {
        return DOCUMENT.operations().stream().sorted(Comparator.comparing(operation -> LAST.indexOf(operation.id())));
    }

    private static String call(Operation operation) {
        StringBuilder text = new StringBuilder("### " + title(operation) + "\n\n");
        text.append("**").append(operation.json().get("summary").textValue()).append(".** ");
        text.append(operation.json().path("description").asText());
        text.append("\n\n");
        parameters(operation, text);
        text.append("```sh\n").append(curl(operation)).append("\n```\n");
        answers(operation, text);
        return text.toString().strip();
    }

    private static void parameters(Operation operation, StringBuilder text) {
        List<JsonNode> parameters = DOCUMENT.parameters(operation).stream()
                .filter(parameter -> !parameter.get("in").textValue().equals("path"))
                .toList();
        if (!parameters.isEmpty()) {
            text.append("| parameter | in | |\n|---|---|---|\n");
            parameters.forEach(parameter -> text.append("| `%s` | %s | %s |\n"
                    .formatted(
                            parameter.get("name").textValue(),
                            parameter.get("in").textValue(),
                            cell(parameter.get("description").textValue() + values(parameter.get("schema"))))));
            text.append('\n');
        }
        JsonNode body = operation.json().at("/requestBody/content");
        if (!body.isMissingNode()) {
            text.append("Body: ");
            List<String> kinds = new ArrayList<>();
            body.fields()
                    .forEachRemaining(content -> kinds.add("`" + content.getKey() + "`"
                            + kind(content.getValue().get("schema"))));
            text.append(String.join(", or ", kinds)).append(".\n\n");
        }
    }

    private static String kind(JsonNode schema) {
        List<String> names = new ArrayList<>();
        alternatives(schema).forEach(one -> names.add(one.has("$ref") ? link(one) : inline(one)));
        String said = names.stream().filter(name -> !name.isEmpty()).collect(Collectors.joining(" or "));
        return said.isEmpty() ? "" : ", " + said;
    }

    private static String inline(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.path("properties").fieldNames().forEachRemaining(name -> names.add("`" + name + "`"));
        return names.isEmpty() ? "" : "with " + String.join(", ", names);
    }

    private static String curl(Operation operation) {
        String path = operation.path();
        List<String> query = new ArrayList<>();
        StringBuilder options = new StringBuilder();
        for (JsonNode parameter : DOCUMENT.parameters(operation)) {
            if (parameter.has("example")) {
                String name = parameter.get("name").textValue();
                String value = parameter.get("example").asText();
                switch (parameter.get("in").textValue()) {
                    case "path" -> path = path.replace("{" + name + "}", encode(value));
                    case "query" -> query.add(name + "=" + encode(value));
                    default -> options.append(" -H '" + name + ": " + value + "'");
                }
            }
        }
        JsonNode content = operation.json().at("/requestBody/content");
        if (!content.isMissingNode()) {
            String type =
                    content.has(JSON_TYPE) ? JSON_TYPE : content.fieldNames().next();
            JsonNode example = content.get(type).get("example");
            options.append(" -H 'Content-Type: " + type + "' \\\n  ");
            options.append(
                    example.isTextual()
                            ? "--data-binary $'"
                                    + example.textValue().replace("\r", "\\r").replace("\n", "\\n") + "'"
                            : "-d '" + spaced(example) + "'");
        }
        String method = operation.method().equals("GET") ? "" : " -X " + operation.method();
        String url = BASE + path + (query.isEmpty() ? "" : "?" + String.join("&", query));
        return "curl" + method + " '" + url + "'" + options;
    }

    private static void answers(Operation operation, StringBuilder text) {
        Map<String, List<String>> problems = new LinkedHashMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> all =
                        operation.json().get("responses").fields();
                all.hasNext(); ) {
            Map.Entry<String, JsonNode> answer = all.next();
            JsonNode response = DOCUMENT.resolve(answer.getValue());
            if (answer.getKey().startsWith("2")) {
                success(answer.getKey(), response, text);
            } else {
                List<String> names = DOCUMENT.problems(response).stream()
                        .map(HttpPage::name)
                        .map(name -> "`" + name + "`")
                        .toList();
                problems.put(answer.getKey(), names.isEmpty() ? List.of("no body") : names);
            }
        }
        text.append("\nElse ([what to do](#problems)): ")
                .append(problems.entrySet().stream()
                        .map(status -> status.getKey() + " " + String.join(", ", status.getValue()))
                        .collect(Collectors.joining("; ")))
                .append(".\n");
    }

    private static void success(String status, JsonNode response, StringBuilder text) {
        text.append("\n**")
                .append(status)
                .append("** ")
                .append(response.get("description").textValue());
        JsonNode json = response.at("/content/application~1json");
        if (json.at("/schema/$ref").isTextual()) {
            text.append(" ").append(link(json.get("schema")));
        }
        List<String> headers = new ArrayList<>();
        response.path("headers").fieldNames().forEachRemaining(name -> {
            if (!Set.of("Cache-Control", "Vary").contains(name)) {
                headers.add("`" + name + "`");
            }
        });
        if (!headers.isEmpty()) {
            text.append(" Headers: ").append(String.join(", ", headers)).append(".");
        }
        if (response.at("/content/text~1csv").isObject()) {
            text.append(" With `Accept: text/csv`, CSV.");
        }
        text.append("\n");
        if (json.has("example")) {
            text.append("\n```json\n").append(spaced(json.get("example"))).append("\n```\n");
        }
    }

    /** What the answers are made of, in the document's order: all that a call's answer leads to, but the problems. */
    private static String objects() {
        Set<String> seen = new TreeSet<>();
        DOCUMENT.operations().forEach(operation -> {
            collect(operation.json().at("/requestBody"), seen);
            operation.json().get("responses").fields().forEachRemaining(answer -> {
                if (answer.getKey().startsWith("2")) {
                    collect(answer.getValue(), seen);
                }
            });
        });
        seen.removeAll(DEFINITIONS);
        StringBuilder text = new StringBuilder();
        DOCUMENT.json().at("/components/schemas").fields().forEachRemaining(schema -> {
            boolean isObject = schema.getValue().path("type").asText().equals("object");
            if (seen.contains(schema.getKey()) && isObject) {
                text.append("### ").append(schema.getKey()).append("\n\n");
                if (schema.getValue().has("description")) {
                    text.append(schema.getValue().get("description").textValue())
                            .append("\n\n");
                }
                text.append(fields(schema.getValue())).append("\n\n");
            } else if (seen.contains(schema.getKey()) && schema.getValue().has("oneOf")) {
                text.append("### ")
                        .append(schema.getKey())
                        .append("\n\nBy `")
                        .append(schema.getValue()
                                .at("/discriminator/propertyName")
                                .textValue())
                        .append("` ")
                        .append(alternatives(schema.getValue()).stream()
                                .map(HttpPage::link)
                                .collect(Collectors.joining(", ")))
                        .append(". ")
                        .append(schema.getValue().path("description").asText())
                        .append("\n\n");
            }
        });
        return text.toString().strip();
    }

    private static void collect(JsonNode node, Set<String> seen) {
        node.findValuesAsText("$ref").forEach(reference -> {
            String name = reference.substring(reference.lastIndexOf('/') + 1);
            if (reference.startsWith("#/components/schemas/") && seen.add(name)) {
                collect(schema(name), seen);
            }
        });
    }

    private static String fields(JsonNode object) {
        Set<String> required = new TreeSet<>();
        object.path("required").forEach(name -> required.add(name.textValue()));
        StringBuilder table = new StringBuilder("| field | | |\n|---|---|---|\n");
        object.path("properties")
                .fields()
                .forEachRemaining(field -> table.append("| `%s`%s | %s | %s |\n"
                        .formatted(
                                field.getKey(),
                                required.contains(field.getKey()) ? "" : required.isEmpty() ? "" : " ?",
                                type(field.getValue()),
                                cell(describe(field.getValue())))));
        return table.toString().strip();
    }

    private static String type(JsonNode schema) {
        if (schema.has("$ref")) {
            JsonNode target = DOCUMENT.resolve(schema);
            return target.has("properties") || target.has("oneOf") ? link(schema) : type(target);
        }
        if (schema.has("anyOf")) {
            return type(schema.get("anyOf").get(schema.get("anyOf").size() - 1));
        }
        if (schema.has("oneOf")) {
            return alternatives(schema).stream().map(HttpPage::link).collect(Collectors.joining(" or "));
        }
        String type = schema.get("type").isArray()
                ? schema.get("type").get(0).textValue()
                : schema.get("type").textValue();
        if (type.equals("array")) {
            return "list of " + type(schema.get("items"));
        }
        return switch (schema.path("format").asText()) {
            case "date" -> "date";
            case "date-time" -> "time";
            default ->
                switch (type) {
                    case "integer", "number" -> "number";
                    case "string" -> "text";
                    case "boolean" -> "true, false";
                    default -> inline(schema).isEmpty() ? type : "object " + inline(schema);
                };
        };
    }

    private static String describe(JsonNode schema) {
        JsonNode target = DOCUMENT.resolve(schema);
        String own = schema.path("description").asText();
        String said = own.isEmpty() && !target.has("properties")
                ? target.path("description").asText()
                : own;
        return (said + values(target)).strip();
    }

    private static String values(JsonNode schema) {
        JsonNode target = DOCUMENT.resolve(schema);
        List<String> values = new ArrayList<>();
        target.path("enum").forEach(value -> {
            if (!value.isNull()) {
                values.add("`" + value.asText() + "`");
            }
        });
        String listed = values.size() < 2 ? "" : " " + String.join(", ", values) + ".";
        if (target.path("maximum").asLong() > 0 && target.path("maximum").asLong() < 10_000_000) {
            listed += " %s to %s%s."
                    .formatted(
                            target.path("minimum").asText("0"),
                            target.get("maximum").asText(),
                            target.has("default") ? ", by default " + target.get("default") : "");
        } else if (target.has("maxLength")) {
            listed += " At most " + target.get("maxLength") + " characters.";
        }
        return listed;
    }

    private static String problems() {
        StringBuilder table =
                new StringBuilder("| problem | status | beside `detail` | what to do |\n|---|---|---|---|\n");
        DOCUMENT.json().at("/components/schemas").forEach(schema -> {
            if (schema.at("/properties/type/enum/0").asText().startsWith(PROBLEM)) {
                List<String> members = new ArrayList<>();
                schema.get("properties").fieldNames().forEachRemaining(member -> {
                    if (!Set.of("type", "title", "status", "detail").contains(member)) {
                        members.add("`" + member + "`");
                    }
                });
                table.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                name(schema),
                                schema.at("/properties/status/enum/0"),
                                String.join(", ", members),
                                advice(schema)));
            }
        });
        return table.toString().strip();
    }

    private static String advice(JsonNode problem) {
        String said = problem.path("description").asText();
        for (String first : List.of("Retry with the same key", "Fix the request", "Tell the operator")) {
            if (said.startsWith(first)) {
                return cell("**" + first + "**" + said.substring(first.length()));
            }
        }
        throw new AssertionError(
                "The schema of " + name(problem)
                        + " needs a description that begins with what a caller is to do: 'Retry with the same key', 'Fix the request' or 'Tell the operator'.");
    }

    private static String name(JsonNode problem) {
        return problem.at("/properties/type/enum/0").textValue().replace(PROBLEM, "");
    }

    private static String title(Operation operation) {
        return operation.method() + " " + operation.path();
    }

    /** As GitHub makes it of a heading. */
    private static String anchor(String heading) {
        return heading.toLowerCase()
                .codePoints()
                .filter(character -> Character.isLetterOrDigit(character) || character == ' ' || character == '-')
                .mapToObj(character -> character == ' ' ? "-" : Character.toString(character))
                .collect(Collectors.joining());
    }

    private static List<JsonNode> alternatives(JsonNode schema) {
        List<JsonNode> all = new ArrayList<>();
        schema.path("oneOf").forEach(all::add);
        return all.isEmpty() ? List.of(schema) : all;
    }

    private static String link(JsonNode reference) {
        String name = reference.get("$ref").textValue().replaceFirst(".*/", "");
        return DEFINITIONS.contains(name) ? "[definition](#definitions)" : "[" + name + "](#" + anchor(name) + ")";
    }

    private static JsonNode schema(String name) {
        return DOCUMENT.json().at("/components/schemas/" + name);
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String spaced(JsonNode json) {
        return spaced(json, "");
    }

    /** On one line where it fits, else a line for each member. */
    private static String spaced(JsonNode json, String indent) {
        String line = oneLine(json);
        if (indent.length() + line.length() <= LINE || !json.isContainerNode()) {
            return line;
        }
        String inner = indent + "  ";
        List<String> parts = new ArrayList<>();
        if (json.isArray()) {
            json.forEach(item -> parts.add(inner + spaced(item, inner)));
            return "[\n" + String.join(",\n", parts) + "\n" + indent + "]";
        }
        json.fields()
                .forEachRemaining(member ->
                        parts.add(inner + "\"" + member.getKey() + "\": " + spaced(member.getValue(), inner)));
        return "{\n" + String.join(",\n", parts) + "\n" + indent + "}";
    }

    private static String oneLine(JsonNode json) {
        if (json.isObject()) {
            List<String> members = new ArrayList<>();
            json.fields()
                    .forEachRemaining(
                            member -> members.add("\"" + member.getKey() + "\": " + oneLine(member.getValue())));
            return "{" + String.join(", ", members) + "}";
        }
        if (json.isArray()) {
            List<String> items = new ArrayList<>();
            json.forEach(item -> items.add(oneLine(item)));
            return "[" + String.join(", ", items) + "]";
        }
        return json.toString();
    }
}
