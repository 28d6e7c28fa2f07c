package dev.numera.clients;

import static dev.numera.clients.ClientLanguage.CLIENTS;
import static dev.numera.clients.ClientLanguage.SCENES;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.Program;
import dev.numera.functions.App;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays every scene of {@code src/test/scenes/scenes.json} and of the table of calls with each library in
 * {@code clients}, so that all libraries behave alike. A scene states a call, the answers including failures, the
 * tokens that a server issues in turn, and the expected requests, waits in seconds, retries that the client reports
 * with the count of attempts and their status, and result. A client may return more fields than the result states.
 */
@Timeout(600)
class ClientScenesTest {
    private static final Path TABLE = SCENES.resolve("scenes.json");
    private static final Pattern VERSION = Pattern.compile("(?m)^ *[\"<]?version[\":= >]+([^\"<]+)");
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void clientPlaysEveryScene(ClientLanguage language, @TempDir Path folder) throws Exception {
        JsonNode scenes = ClientTable.withScenes(JSON.readTree(TABLE.toFile()));
        try (SceneServer server = new SceneServer(scenes);
                InterimAnswers interim = new InterimAnswers(server.url());
                FailingTls tls = new FailingTls(folder)) {
            interim.addressIn(scenes);
            Path table = Files.writeString(folder.resolve("scenes.json"), tls.addressedIn(scenes.toString()));
            List<String> outcomes = language.play(server.url() + "/{scene}", table, folder);

            Outcomes.judge(scenes, outcomes);
            assertAll(IntStream.range(0, scenes.size())
                    .mapToObj(i -> () -> exchange(scenes.get(i), server.calls(i), outcomes.get(i), language)));
        }
    }

    /**
     * A client that sends a lone surrogate as a question mark would make two different keys equal. Go has no such
     * strings in JSON.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "JAVASCRIPT | ['next', 'shop/order', 'a?']",
                "PYTHON     | ['next', 'shop/order', 'a?']",
                "JAVA       | ['next', 'shop/order', 'a?']",
                "JAVA       | ['voidNumbers', 'shop/order', 'a?', 'A typo.']",
                "JAVA       | ['batch', 'shop/order', 'list-1', ['a?'], {}]"
            })
    @Tag("long")
    void halfACharacterIsRefusedBeforeItIsSent(ClientLanguage language, String call, @TempDir Path folder)
            throws Exception {
        String table = "[{\"call\": " + call.replace('\'', '"').replace("?", "\\ud83d") + "}]";
        Path file = Files.writeString(folder.resolve("half.json"), table);

        List<String> outcomes = language.play("http://127.0.0.1:1", file, folder);

        JsonNode refused = JSON.readTree("[{\"invalid\": true, \"waits\": [], \"retries\": []}]");
        assertEquals(refused, JSON.readTree(outcomes.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"undefined", "null", "9001", "{key: 'order-9001'}", "''"})
    void keyOfTheJavaScriptClientIsAString(String key) throws Exception {
        for (String call : List.of("next('shop/order', %s)", "reserve('shop/order', %s)")) {
            String program = "import {Numera} from '"
                    + CLIENTS.resolve("javascript/numera.js").toUri() + "';"
                    + "await new Numera({url: 'http://127.0.0.1:1'})." + call.formatted(key);

            Program run = Program.run("node", "--input-type=module", "-e", program);

            assertTrue(run.output().contains("The key must be a string"), run::output);
        }
    }

    @Test
    void javaScriptClientReturnsNoRoundedNumberOfAText() throws Exception {
        String program = "import {Numera} from '"
                + CLIENTS.resolve("javascript/numera.js").toUri() + "';\n"
                + """
                const fetch = async () => new Response('{"number": 9007199254740993}');
                const numera = new Numera({url: 'http://127.0.0.1:1', fetch});
                await numera.parse('a/b', '9007199254740993').catch((e) => console.log(e.name, e.message));
                """;

        Program run = Program.run("node", "--input-type=module", "-e", program);

        assertEquals(
                "RangeError The number of \"9007199254740993\" is beyond 2^53 - 1, which JavaScript rounds.",
                run.output());
    }

    /** An exception that cannot be copied breaks a process pool, and all of its later tasks. */
    @Test
    @Tag("long")
    void exceptionsOfThePythonClientCanBeCopied() throws Exception {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so its client is not tried");
        String program =
                """
                import copy, pickle, numera_client as numera
                for e in (numera.NumeraProblem(409, {'type': 'urn:problem-type:numera:exhausted', 'detail': 'd'}, 3),
                          numera.NumeraUnavailable('m', 2, 502)):
                    for other in (pickle.loads(pickle.dumps(e)), copy.deepcopy(e)):
                        assert type(other) is type(e) and vars(other) == vars(e) and str(other) == str(e)
                """;

        Program run = Program.run(Map.of("PYTHONPATH", CLIENTS + "/python/src"), "python3", "-B", "-c", program);

        assertEquals(new Program(0, ""), run);
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
        assertEquals(App.VERSION, version("java/pom.xml"));
        assertEquals(App.VERSION, version("javascript/package.json"));
        assertEquals(ClientLanguage.PYTHON.version(), version("python/pyproject.toml"));
        // Each client also sends its version in a header.
        assertTrue(source("javascript/numera.js").contains("VERSION = '" + App.VERSION + "'"));
        assertTrue(source("go/numera.go").contains("version = \"" + App.VERSION + '"'));
        assertTrue(source("java/src/main/java/dev/numera/client/Sender.java")
                .contains("VERSION = \"" + App.VERSION + '"'));
        assertTrue(source("python/src/numera_client/__init__.py")
                .contains("_VERSION = \"" + ClientLanguage.PYTHON.version() + '"'));
    }

    private static String source(String file) throws IOException {
        return Files.readString(CLIENTS.resolve(file));
    }

    private static String version(String file) throws IOException {
        Matcher version = VERSION.matcher(source(file));

        assertTrue(version.find(), file);
        return version.group(1);
    }

    private static void exchange(
            JsonNode scene, List<SceneServer.ReceivedCall> calls, String outcome, ClientLanguage language)
            throws IOException {
        String name = scene.get("scene").asText();
        JsonNode played = JSON.readTree(outcome);
        waits(scene.get("waits"), played.get("waits"), name);
        JsonNode retries = scene.has("retries") ? scene.get("retries") : JSON.createArrayNode();
        assertEquals(retries, played.get("retries"), name + ": retries");
        calls(scene.get("calls"), calls, name);
        for (SceneServer.ReceivedCall call : calls) {
            assertEquals(language.userAgent(), call.headers().get("User-Agent"), name);
        }
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
        // The service refuses it unless it is escaped.
        assertFalse(actual.body().contains("\uFFFD"), () -> name + ": " + actual.body());
        JsonNode body = expected.path("body");
        if (body.isObject()) {
            assertEquals(body, JSON.readTree(actual.body()), name);
        } else {
            assertEquals(body.asText(), actual.body(), name);
        }
    }
}
