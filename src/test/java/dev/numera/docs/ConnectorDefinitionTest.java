package dev.numera.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connector definition that {@code tools/connector.mjs} builds from {@code openapi.json} for each release. */
class ConnectorDefinitionTest {
    private static final Path SOURCE = Path.of("src/main/resources/dev/numera/functions/openapi.json");
    private static final List<String> LEFT_OUT = List.of("OpenApi", "Docs", "Console", "ConsoleFile");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    /** Runs the tool on a document and returns its output. */
    private String made(Path source) throws IOException, InterruptedException {
        Path target = folder.resolve("definition.json");
        Program program = Program.node(Path.of("tools/connector.mjs"), List.of(source.toString(), target.toString()));
        assertEquals(0, program.exit(), program.output());
        return Files.readString(target);
    }

    @Test
    void definitionHasEachCallOfTheDocumentExceptThoseForPeopleAndPrograms() throws IOException, InterruptedException {
        List<String> calls = new ArrayList<>(operations(Files.readString(SOURCE)));

        assertTrue(calls.removeAll(LEFT_OUT));
        assertTrue(calls.size() > 30, calls::toString);
        assertEquals(calls, operations(made(SOURCE)));
    }

    private static List<String> operations(String document) throws IOException {
        List<String> ids = new ArrayList<>();
        JSON.readTree(document)
                .get("paths")
                .forEach(path -> path.forEach(call -> {
                    if (call.has("operationId")) {
                        ids.add(call.get("operationId").asText());
                    }
                }));
        return ids;
    }

    @Test
    void eachReleaseContainsTheDefinition() throws IOException {
        String release = Files.readString(Path.of("tools/release/pom.xml"));

        int made = release.indexOf("/../connector.mjs</argument>");
        assertTrue(made > 0 && made < release.indexOf("<checksum "), release);
        assertTrue(release.contains("<argument>${project.basedir}/../../" + SOURCE + "</argument>"), release);
        assertTrue(release.contains(
                "<argument>${release.directory}/${project.build.finalName}-connector.json</argument>"));
    }

    @Test
    void alternativesBecomeOneObject() throws IOException, InterruptedException {
        Path choice = Files.writeString(
                folder.resolve("choice.json"),
                """
                {"components": {"schemas": {
                  "A": {"type": "object", "required": ["kind", "a"], "properties": {"kind": {"type": "string", "enum": ["a"]}, "a": {"type": ["string", "null"]}, "n": {"type": "integer", "minimum": 1, "maximum": 9}}},
                  "B": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["b"]}, "b": {"type": ["string", "integer"]}, "n": {"type": "integer", "minimum": 1, "enum": [1]}}},
                  "Either": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]},
                  "AnyProblem": {"type": "object", "properties": {}}}},
                 "info": {"summary": "S", "description": "D", "version": "1"},
                 "paths": {"/x": {"get": {"operationId": "X", "responses": {"200": {"description": "d.",
                   "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Either"}}}}}}}}}
                """);

        JsonNode either = JSON.readTree(made(choice)).at("/definitions/Either");

        assertEquals("[\"kind\"]", either.get("required").toString());
        assertEquals("[\"a\",\"b\"]", either.at("/properties/kind/enum").toString());
        assertEquals(
                "{\"x-nullable\":true,\"type\":\"string\"}",
                either.at("/properties/a").toString());
        assertEquals("{}", either.at("/properties/b").toString());
        assertEquals(
                "{\"type\":\"integer\",\"minimum\":1}",
                either.at("/properties/n").toString());
    }

    @Test
    void containsOnlyFeaturesOfOpenApi2() throws IOException, InterruptedException {
        JsonNode definition = JSON.readTree(made(SOURCE));

        for (String keyword :
                List.of("oneOf", "anyOf", "const", "discriminator", "nullable", "requestBody", "content")) {
            assertTrue(definition.findParents(keyword).isEmpty(), keyword);
        }
    }
}
