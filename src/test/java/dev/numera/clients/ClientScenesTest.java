package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import dev.numera.functions.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client libraries in {@code clients} behave alike: each plays every scene of {@code src/test/scenes/scenes.json}.
 * A scene has a call, the answers to it, which may fail, and what is expected: the requests, the waits between them in
 * seconds, and the result, of which a client may return more fields.
 */
@Timeout(180)
class ClientScenesTest {
    private static final Path SCENES = Path.of("src", "test", "scenes").toAbsolutePath();
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();
    private static final Path TABLE = SCENES.resolve("scenes.json");
    private static final Pattern VERSION = Pattern.compile("(?m)^ *[\"<]?version[\":= >]+([0-9.]+)");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void javaScriptPlaysEveryScene() throws Exception {
        play("node", SCENES + "/scenes.mjs");
    }

    @Test
    void javaPlaysEveryScene(@TempDir Path classes) throws Exception {
        Program.compileJava(classes, CLIENTS.resolve("java/src/main/java"), SCENES.resolve("Scenes.java"));

        play(Program.jdk("java"), "-cp", classes.toString(), "dev.numera.client.Scenes");
    }

    @Test
    void pythonPlaysEveryScene() throws Exception {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so its client is not tried");
        play("env", "PYTHONPATH=" + CLIENTS + "/python/src", "python3", "-B", SCENES + "/scenes.py");
    }

    @Test
    void goPlaysEveryScene(@TempDir Path folder) throws Exception {
        assumeTrue(Program.isOnPath("go"), "Go is not installed, so its client is not tried");
        String program = folder.resolve("scenes").toString();
        Program build = Program.run(
                Map.of("GOTOOLCHAIN", "local", "GOFLAGS", "-buildvcs=false"),
                "go",
                "-C",
                SCENES.resolve("go").toString(),
                "build",
                "-o",
                program,
                ".");
        assumeFalse(build.output().contains("requires go >="), build.output());
        assertEquals(0, build.exit(), build.output());

        play(program);
    }

    @Test
    void typesOfTheJavaScriptClientFitItsCalls() throws Exception {
        Path compiler = Path.of("console", "node_modules", "typescript", "bin", "tsc");
        assumeTrue(Files.exists(compiler), "the console's compiler is not installed, so types are not checked");
        List<String> options = List.of("--ignoreConfig", "--noEmit", "--strict", "--target", "es2022");
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("--module", "nodenext", SCENES + "/types.ts"));

        assertEquals(new Program(0, ""), Program.node(compiler, arguments));
    }

    @Test
    void versionsAreTheAppsOwn() throws IOException {
        for (String file : List.of("java/pom.xml", "javascript/package.json", "python/pyproject.toml")) {
            Matcher version = VERSION.matcher(Files.readString(CLIENTS.resolve(file)));

            assertTrue(version.find(), file);
            assertEquals(Version.OF_THE_APP, version.group(1), file);
        }
    }

    private static void play(String... program) throws Exception {
        JsonNode scenes = JSON.readTree(TABLE.toFile());
        try (SceneServer server = new SceneServer(scenes)) {
            List<String> command = new ArrayList<>(List.of(program));
            command.addAll(List.of(server.url(), TABLE.toString()));
            Program run = Program.run(command.toArray(String[]::new));
            assertEquals(0, run.exit(), run.output());
            List<String> outcomes = run.output().lines().toList();
            assertEquals(scenes.size(), outcomes.size(), run.output());
            assertAll(IntStream.range(0, scenes.size())
                    .mapToObj(i -> () -> judge(scenes.get(i), server.calls(i), outcomes.get(i))));
        }
    }

    private static void judge(JsonNode scene, List<SceneServer.ReceivedCall> calls, String outcome) throws IOException {
        String name = scene.get("scene").asText();
        JsonNode actual = JSON.readTree(outcome);
        List<Executable> checks = new ArrayList<>();
        for (String kind : List.of("result", "problem", "unavailable", "invalid")) {
            checks.add(() -> assertEquals(scene.has(kind), actual.has(kind), name + ": " + outcome));
            checks.add(() -> contains(scene.path(kind), actual.path(kind), name + ": " + kind));
        }
        checks.add(() -> waits(scene.get("waits"), actual.get("waits"), name));
        checks.add(() -> calls(scene.get("calls"), calls, name));
        assertAll(name, checks);
    }

    private static void waits(JsonNode expected, JsonNode actual, String name) {
        assertEquals(expected.size(), actual.size(), () -> name + ": waits " + actual);
        for (int i = 0; i < expected.size(); i++) {
            double wait = actual.get(i).asDouble();
            JsonNode range = expected.get(i);
            assertTrue(
                    wait >= range.get(0).asDouble() && wait <= range.get(1).asDouble(),
                    () -> name + ": waits " + actual + " instead of " + expected);
        }
    }

    private static void calls(JsonNode expected, List<SceneServer.ReceivedCall> actual, String name)
            throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode call : expected) {
            Stream.generate(() -> call).limit(call.path("times").asInt(1)).forEach(all::add);
        }
        assertEquals(all.size(), actual.size(), () -> name + ": " + actual);
        for (int i = 0; i < all.size(); i++) {
            call(all.get(i), actual.get(i), name + ", call " + (i + 1));
        }
    }

    private static void call(JsonNode expected, SceneServer.ReceivedCall actual, String name) throws IOException {
        assertEquals(expected.get("method").asText(), actual.method(), name);
        assertEquals(expected.get("path").asText(), actual.path(), name);
        TreeMap<String, String> query = new TreeMap<>();
        expected.path("query")
                .fields()
                .forEachRemaining(
                        field -> query.put(field.getKey(), field.getValue().asText()));
        assertEquals(query, actual.query(), name);
        expected.path("headers").fields().forEachRemaining(field -> {
            String header = actual.headers().get(field.getKey());
            if (field.getValue().isNull()) {
                assertNull(header, name + ": " + field.getKey());
            } else {
                assertEquals(field.getValue().asText(), header, name + ": " + field.getKey());
            }
        });
        JsonNode body = expected.path("body");
        if (body.isObject()) {
            assertEquals(body, JSON.readTree(actual.body()), name);
        } else {
            assertEquals(body.asText(), actual.body(), name);
        }
    }

    /** Fields that are expected as null are missing or null; a client may return fields that are not expected. */
    private static void contains(JsonNode expected, JsonNode actual, String where) {
        if (expected.isObject()) {
            expected.fields()
                    .forEachRemaining(field ->
                            contains(field.getValue(), actual.path(field.getKey()), where + "." + field.getKey()));
        } else if (expected.isArray()) {
            assertEquals(expected.size(), actual.size(), where);
            IntStream.range(0, expected.size())
                    .forEach(i -> contains(expected.get(i), actual.get(i), where + "[" + i + "]"));
        } else {
            boolean isMissing = expected.isNull() && actual.isMissingNode();
            assertEquals(isMissing ? actual : expected, actual, where);
        }
    }
}
