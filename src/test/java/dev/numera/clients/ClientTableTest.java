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
import java.util.regex.Matcher;
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
    private static final Pattern SIGNATURE = Pattern.compile("`(\\w+)\\(([^)]*)\\)`");
    private static final List<String> SOURCES = List.of(
            "javascript/numera.d.ts",
            "python/src/numera_client/__init__.py",
            "go",
            "java/src/main/java/dev/numera/client/Numera.java");

    private static List<List<String>> rows() throws IOException {
        List<List<String>> rows = Files.readAllLines(Path.of("docs", "clients.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> List.of(line.split("\\|")).subList(1, 5))
                .toList();
        assertTrue(rows.size() > 10, rows::toString);
        return rows;
    }

    @Test
    void scenesPlayExactlyTheCallsOfTheTable() throws IOException {
        Set<String> stated = rows().stream()
                .map(row -> signature(row.get(0)).group(1))
                .collect(Collectors.toCollection(TreeSet::new));

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
            for (List<String> row : rows()) {
                Matcher signature = signature(row.get(language));
                String parameters = Stream.of(signature.group(2).split(", "))
                        .map(name -> "\\b" + name + "\\b[^)]*?")
                        .collect(Collectors.joining());
                Pattern declaration = Pattern.compile("\\b" + signature.group(1) + "\\([^)]*?" + parameters + "\\)");
                assertTrue(declaration.matcher(source).find(), SOURCES.get(language) + " lacks " + signature.group());
            }
        }
    }

    private static Matcher signature(String cell) {
        Matcher signature = SIGNATURE.matcher(cell);
        assertTrue(signature.find(), cell);
        return signature;
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
