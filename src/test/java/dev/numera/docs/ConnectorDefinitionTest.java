package dev.numera.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code connector/apiDefinition.swagger.json} says what {@code openapi.json} says. */
class ConnectorDefinitionTest {
    private static final Path SOURCE = Path.of("src/main/resources/dev/numera/functions/openapi.json");
    private static final Path DEFINITION = Path.of("connector", "apiDefinition.swagger.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void definitionIsThatOfTheDocument() throws IOException {
        JsonNode definition = ConnectorDefinition.of(JSON.readTree(SOURCE.toFile()));
        if (Boolean.getBoolean("rewrite")) {
            DefaultIndenter lines = new DefaultIndenter("  ", "\n");
            DefaultPrettyPrinter printer =
                    new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines);
            Files.writeString(DEFINITION, JSON.writer(printer).writeValueAsString(definition) + "\n");
        }

        assertEquals(
                definition.toPrettyString(),
                JSON.readTree(DEFINITION.toFile()).toPrettyString(),
                DEFINITION + " is out of date. Write it anew: mvn test -Dtest=ConnectorDefinitionTest -Drewrite=true");
    }

    @Test
    void alternativesBecomeOneObject() throws IOException {
        JsonNode choice = JSON.readTree(
                """
                {"components": {"schemas": {
                  "A": {"type": "object", "required": ["kind", "a"], "properties": {"kind": {"type": "string", "enum": ["a"]}, "a": {"type": ["string", "null"]}}},
                  "B": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["b"]}, "b": {"type": ["string", "integer"]}}},
                  "Either": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]},
                  "AnyProblem": {"type": "object", "properties": {}}}},
                 "info": {"summary": "S", "description": "D", "version": "1"},
                 "paths": {"/x": {"get": {"operationId": "X", "responses": {"200": {"description": "d.",
                   "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Either"}}}}}}}}}
                """);

        JsonNode either = ConnectorDefinition.of(choice).at("/definitions/Either");

        assertEquals("[\"kind\"]", either.get("required").toString());
        assertEquals("[\"a\",\"b\"]", either.at("/properties/kind/enum").toString());
        assertEquals(
                "{\"x-nullable\":true,\"type\":\"string\"}",
                either.at("/properties/a").toString());
        assertEquals("{}", either.at("/properties/b").toString());
    }

    @Test
    void nothingIsLeftThatTheOldVersionDoesNotKnow() throws IOException {
        JsonNode definition = JSON.readTree(DEFINITION.toFile());

        for (String keyword :
                List.of("oneOf", "anyOf", "const", "discriminator", "nullable", "requestBody", "content")) {
            assertTrue(definition.findParents(keyword).isEmpty(), keyword);
        }
    }
}
