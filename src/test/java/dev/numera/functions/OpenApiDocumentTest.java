package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.problem.ProblemType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document by itself: whole, and in agreement with the code. What the app answers is held to it end to end. */
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
                                    problem.at("/properties/status/const").asText(),
                                    operation.id());
                            answered.add(problem(problem));
                        })));

        // Of a row of an import only, which is refused among others.
        answered.add("urn:problem-type:numera:number-taken 409 The number is taken");
        assertEquals(
                problemsDescribed().map(OpenApiDocumentTest::problem).collect(Collectors.toCollection(TreeSet::new)),
                answered);
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
    void versionIsThatOfTheProject() throws Exception {
        String version = DOCUMENT.json().at("/info/version").textValue();

        assertTrue(Files.readString(Path.of("pom.xml"))
                .matches("(?s).*<version>" + version.replace(".", "\\.") + "(-SNAPSHOT)?</version>.*"));
    }

    private static Stream<JsonNode> problemsDescribed() {
        List<JsonNode> problems = new ArrayList<>();
        DOCUMENT.json().at("/components/schemas").forEach(schema -> {
            if (schema.at("/properties/type/const").asText().startsWith("urn:problem-type:")) {
                problems.add(schema);
            }
        });
        return problems.stream();
    }

    private static String problem(JsonNode schema) {
        JsonNode properties = schema.get("properties");
        return properties.at("/type/const").textValue() + " " + properties.at("/status/const") + " "
                + properties.at("/title/const").textValue();
    }
}
