package dev.numera.clients;

import static dev.numera.clients.ClientLanguage.CLIENTS;
import static dev.numera.clients.ClientLanguage.SCENES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Holds the table of calls in {@code docs/clients.md} to the scenes and to the sources: each call of the table succeeds
 * in a scene, which each client plays, and has the stated parameters in each language.
 */
class ClientTableTest {
    private static final List<String> SOURCES = List.of(
            "javascript/numera.d.ts",
            "python/src/numera_client/__init__.py",
            "go",
            "java/src/main/java/dev/numera/client/Numera.java");

    @Test
    void scenesPlayExactlyTheCallsOfTheTable() throws IOException {
        Set<String> stated = ClientTable.rows().stream()
                .map(ClientTable.CallRow::call)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(stated.size() > 10, stated::toString);

        for (String table : List.of("scenes.json", "app.json")) {
            JsonNode scenes = new ObjectMapper().readTree(SCENES.resolve(table).toFile());
            Set<String> played = StreamSupport.stream(scenes.spliterator(), false)
                    .filter(scene -> scene.has("result"))
                    .map(scene -> scene.get("call").get(0).asText())
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> expected = new TreeSet<>(stated);
            if (table.equals("app.json")) {
                // A gapless sequence, which the app's scenes use, requires keys.
                expected.remove("nextWithoutKey");
            }
            assertEquals(expected, played, table);
        }
    }

    @Test
    void eachSourceDeclaresTheParametersOfTheTable() throws IOException {
        for (int language = 0; language < SOURCES.size(); language++) {
            String source = source(CLIENTS.resolve(SOURCES.get(language)));
            for (ClientTable.CallRow row : ClientTable.rows()) {
                ClientTable.Signature signature = row.signatures().get(language);
                String parameters = signature.parameters().stream()
                        .map(name -> "\\b" + name + "\\b[^)]*?")
                        .collect(Collectors.joining());
                Pattern declaration = Pattern.compile("\\b" + signature.name() + "\\([^)]*?" + parameters + "\\)");
                assertTrue(declaration.matcher(source).find(), SOURCES.get(language) + " lacks " + signature);
            }
        }
    }

    /** The other failures have scenes of their own, made from the table. */
    @Test
    void exactlyTheStatedCallsThrowADifference() throws IOException {
        JsonNode scenes =
                new ObjectMapper().readTree(SCENES.resolve("scenes.json").toFile());
        Set<String> played = StreamSupport.stream(scenes.spliterator(), false)
                .filter(scene -> scene.has("difference"))
                .map(scene -> scene.at("/call/0").asText())
                .collect(Collectors.toSet());
        Set<String> stated = ClientTable.rows().stream()
                .filter(row -> row.thrown().contains("Difference"))
                .map(ClientTable.CallRow::call)
                .collect(Collectors.toSet());

        assertEquals(stated, played);
    }

    private static String source(Path path) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                texts.add(Files.readString(file));
            }
        }
        return String.join("\n", texts);
    }
}
