package dev.numera.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemType;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the console's sources without a browser: the TypeScript compiler reports nothing, and their calls are the
 * app's.
 */
class ConsoleSourcesTest {
    private static final Path HOME = Path.of("console");
    private static final Pattern PROBLEM = Pattern.compile("^  '([a-z-]+)': \\[");
    private static final Pattern FOR_PROGRAMS =
            Pattern.compile("\\b(GET|PUT|POST|PATCH|DELETE|ETag|If-(None-)?Match|HTTP|JSON|header|endpoint|query)\\b");
    /** The problems that the page detects without an answer of the app. */
    private static final List<String> OF_THE_PAGE =
            List.of("no-answer", "unanswered", "http", "page", "no-key", "wrong-key", "key-lacks-permission");

    private static final Pattern CALL = Pattern.compile("  (\\w+): '([A-Z]+) (\\S+)',");

    @Test
    void typesAreRight() throws IOException, InterruptedException {
        assertEquals(
                new Program(0, ""),
                Program.node(HOME.resolve("node_modules/typescript/bin/tsc"), List.of("-p", HOME.toString())));
    }

    @Test
    void theLogicHoldsWithoutABrowser() throws IOException, InterruptedException {
        Program node = Program.node(Path.of("src/test/console/units/units.mjs"), List.of());

        assertEquals(0, node.exit(), node.output());
    }

    /** The texts are for people: terms that only programs send or read do not help a user of the page. */
    @Test
    void everyProblemTypeHasWordsOfThePage() throws IOException {
        List<String> lines = Files.readAllLines(HOME.resolve("src/problems.ts")).stream()
                .dropWhile(line -> !line.startsWith("const SAID"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("}"))
                .toList();
        Set<String> said = new TreeSet<>();
        lines.forEach(line -> PROBLEM.matcher(line).results().forEach(found -> said.add(found.group(1))));
        Set<String> types =
                Stream.of(ProblemType.values()).map(EnumWord::of).collect(Collectors.toCollection(TreeSet::new));
        types.addAll(OF_THE_PAGE);

        assertEquals(types, said);
        assertEquals(
                List.of(),
                lines.stream().filter(line -> FOR_PROGRAMS.matcher(line).find()).toList());
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
