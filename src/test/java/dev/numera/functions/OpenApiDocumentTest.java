package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.OpenApiDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The document by itself: whole, and in agreement with the code. End-to-end tests check the app's answers against it.
 */
class OpenApiDocumentTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.OF_THE_APP;

    @Test
    void problemsAreThoseOfTheCode() {
        Set<String> described =
                problemsDescribed().map(OpenApiDocumentTest::problem).collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = Arrays.stream(ProblemType.values())
                .map(type -> type.urn() + " " + type.status() + " " + type.title())
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(known, described);
    }

    @Test
    void everyProblemIsAnsweredSomewhereUnderItsStatus() {
        Set<String> answered = new TreeSet<>();
        DOCUMENT.operations().forEach(operation -> operation
                .json()
                .get("responses")
                .fields()
                .forEachRemaining(
                        response -> DOCUMENT.problems(response.getValue()).forEach(problem -> {
                            assertEquals(
                                    response.getKey(),
                                    problem.at("/properties/status/enum/0").asText(),
                                    operation.id());
                            answered.add(problem(problem));
                        })));

        // This problem occurs only in a row of an import, which is refused among other rows.
        answered.add("urn:problem-type:numera:number-taken 409 The number is taken");
        assertEquals(
                problemsDescribed().map(OpenApiDocumentTest::problem).collect(Collectors.toCollection(TreeSet::new)),
                answered);
    }

    /** The document avoids valid constructs of OpenAPI 3.1 that make generators of clients fail. */
    @Test
    void generatorsFindNothingThatTheyMisread() {
        List<JsonNode> excluded = DOCUMENT.json().findValues("not");
        DOCUMENT.json()
                .findParents("const")
                .forEach(schema -> assertTrue(
                        excluded.contains(schema),
                        () -> "write a constant as its type and an enum of one value: " + schema));
        DOCUMENT.operations().forEach(operation -> DOCUMENT.parameters(operation)
                .forEach(parameter -> assertFalse(
                        parameter.get("schema").has("anyOf")
                                || parameter.get("schema").has("oneOf"),
                        () -> operation.id() + ": a parameter has one schema: " + parameter)));
        DOCUMENT.json()
                .findParents("oneOf")
                .forEach(choice -> assertTrue(
                        choice.has("title") && choice.has("discriminator") || choice == upload(), choice::toString));
        DOCUMENT.json()
                .findParents("enum")
                .forEach(schema -> assertTrue(
                        schema.has("type") && !schema.get("type").asText().equals("boolean"),
                        () -> "an enum has a type, and no booleans: " + schema));
        DOCUMENT.json().findParents("type").stream()
                .filter(schema -> schema.get("type").isArray())
                .forEach(schema -> assertTrue(
                        schema.get("type").size() == 2
                                && schema.get("type").get(1).asText().equals("null"),
                        () -> "a schema has one type, and may be null: " + schema));
        assertEquals(List.of(), DOCUMENT.json().findValues("anyOf"));
        assertEquals(
                List.of(),
                DOCUMENT.json().findValuesAsText("pattern").stream()
                        .filter(pattern -> !pattern.matches("(?:[ -~&&[^\\\\]]|\\\\[^u])*"))
                        .toList(),
                "what the regular expressions of all languages know is ASCII, and no \\u");
    }

    /** A generator uses 32 bits for an integer, unless the document allows greater ones. */
    @Test
    void integersBeyond32BitsAreDescribedAsSuch() {
        List<JsonNode> unbounded = DOCUMENT.json().findParents("type").stream()
                .filter(schema -> schema.get("type").toString().contains("integer"))
                .filter(schema -> !schema.has("enum")
                        && !schema.path("format").asText().equals("int64")
                        && (!schema.has("minimum") || !schema.path("maximum").canConvertToInt()))
                .toList();

        assertEquals(List.of(), unbounded);
    }

    /** Generators for Go create a type for each component, named by the component alone. */
    @Test
    void noTwoComponentsHaveOneName() {
        List<String> names = new ArrayList<>();
        DOCUMENT.json().get("components").forEach(kind -> kind.fieldNames().forEachRemaining(names::add));

        assertEquals(new TreeSet<>(names).size(), names.size(), () -> "twice: " + names);
    }

    /** Addresses appear in logs, and keys must not. */
    @Test
    void noKeyIsSentInAnAddress() {
        DOCUMENT.json()
                .at("/components/securitySchemes")
                .forEach(scheme -> assertEquals("header", scheme.path("in").asText()));
    }

    /**
     * Returns the schema of an upload. Its choice has no discriminator: only its fields distinguish an upload of keys
     * from an upload of a count. Clients never read it, so generators only have to write it.
     */
    private static JsonNode upload() {
        return DOCUMENT.json()
                .at("/paths/~1sequences~1{scope}~1{name}~1batches/post/requestBody/content/application~1json/schema");
    }

    @Test
    void everyReferencePointsToSomething() {
        List<String> broken = DOCUMENT.json().findValuesAsText("$ref").stream()
                .filter(reference -> DOCUMENT.json().at(reference.substring(1)).isMissingNode())
                .toList();

        assertEquals(List.of(), broken);
    }

    @Test
    void everyComponentIsUsed() {
        Set<String> used = new TreeSet<>(DOCUMENT.json().findValuesAsText("$ref"));
        List<String> unused = new ArrayList<>();
        for (String kind : List.of("parameters", "headers", "responses", "schemas")) {
            DOCUMENT.json().get("components").get(kind).fieldNames().forEachRemaining(name -> {
                if (!used.contains("#/components/" + kind + "/" + name)) {
                    unused.add(name);
                }
            });
        }

        assertEquals(List.of(), unused);
    }

    @Test
    void everyExampleFitsItsSchema() {
        List<JsonNode> withExamples = DOCUMENT.json().findParents("example");

        assertTrue(withExamples.size() > 20, () -> "only " + withExamples.size() + " examples");
        withExamples.forEach(node ->
                assertEquals(List.of(), DOCUMENT.violations(node.get("schema"), node.get("example")), node::toString));
    }

    @Test
    void everyLinkLeadsToACallWithThatParameter() {
        Set<String> ids = DOCUMENT.operations().stream()
                .map(OpenApiDocument.Operation::id)
                .collect(Collectors.toSet());
        List<JsonNode> links = DOCUMENT.json().findValues("links");

        assertFalse(links.isEmpty());
        links.forEach(named -> named.forEach(
                link -> assertTrue(ids.contains(link.get("operationId").textValue()), link::toString)));
    }

    @Test
    void versionIsThatOfTheProject() {
        assertEquals(App.VERSION, DOCUMENT.json().at("/info/version").textValue());
    }

    private static Stream<JsonNode> problemsDescribed() {
        List<JsonNode> problems = new ArrayList<>();
        DOCUMENT.json().at("/components/schemas").forEach(schema -> {
            if (schema.at("/properties/type/enum/0").asText().startsWith("urn:problem-type:")) {
                problems.add(schema);
            }
        });
        return problems.stream();
    }

    private static String problem(JsonNode schema) {
        JsonNode properties = schema.get("properties");
        return properties.at("/type/enum/0").textValue() + " " + properties.at("/status/enum/0") + " "
                + properties.at("/title/enum/0").textValue();
    }
}
