package dev.numera.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The console's sources by themselves: the compiler of TypeScript finds nothing, and the calls are those of the app.
 */
class ConsoleSourcesTest {
    private static final Path HOME = Path.of("console");
    private static final Pattern CALL = Pattern.compile("  (\\w+): '([A-Z]+) (\\S+)',");

    @Test
    void typesAreRight() throws IOException, InterruptedException {
        assertEquals(
                new Program(0, ""),
                Program.node(HOME.resolve("node_modules/typescript/bin/tsc"), List.of("-p", HOME.toString())));
    }

    @Test
    void theCallsAreThoseOfTheApp() throws IOException {
        List<String> entries = Files.readAllLines(HOME.resolve("src/calls.ts")).stream()
                .dropWhile(line -> !line.startsWith("export const CALLS = {"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("}"))
                .toList();
        assertFalse(entries.isEmpty(), "no calls are found");
        Map<String, String> made = new TreeMap<>();
        for (String entry : entries) {
            Matcher call = CALL.matcher(entry);
            assertTrue(call.matches(), () -> "no call is read from:" + entry);
            made.put(call.group(1), call.group(2) + " " + call.group(3));
        }
        Map<String, String> described = new TreeMap<>();
        OpenApiDocument.OF_THE_APP.operations().stream()
                .filter(operation -> made.containsKey(operation.id()))
                .forEach(operation -> described.put(operation.id(), operation.method() + " " + operation.path()));

        assertEquals(described, made);
    }
}
