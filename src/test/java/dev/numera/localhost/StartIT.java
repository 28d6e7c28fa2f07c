package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatus;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.fixtures.SharedAzurite;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program behind {@code mvn -Pstart} on free ports with its own data. */
@Timeout(600)
class StartIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String PACKAGE = System.getProperty("numera.package", "target/azure-functions/numera");
    private static final String FREE_PORTS = "0,0,0";

    @TempDir
    private Path project;

    /** Answers as an app with wrong settings. */
    public static final class Misconfigured {
        @FunctionName("Health")
        public HttpResponseMessage health(
                @HttpTrigger(name = "request", route = "health", authLevel = AuthorizationLevel.ANONYMOUS)
                        HttpRequestMessage<String> request) {
            String problem = "{\"type\": \"urn:problem-type:fixture:misconfigured\", \"detail\": \"%s\"}";
            return request.createResponseBuilder(HttpStatus.SERVICE_UNAVAILABLE)
                    .body(problem.formatted(System.getenv("WRONG")))
                    .build();
        }
    }

    public static final class Healthy {
        @FunctionName("Health")
        public HttpResponseMessage health(
                @HttpTrigger(name = "request", route = "health", authLevel = AuthorizationLevel.ANONYMOUS)
                        HttpRequestMessage<String> request) {
            return request.createResponseBuilder(HttpStatus.OK).build();
        }
    }

    /** A started process and its output up to the line that says it is ready. */
    private record Started(Process process, List<String> said) {
        URI url(String pattern) {
            return URI.create(said.stream()
                    .filter(line -> line.matches(".*" + pattern + ".*"))
                    .findFirst()
                    .orElseThrow()
                    .replaceFirst(".*?(http://127[^' ]*).*", "$1"));
        }

        /** Sends a signal as a terminal or a service manager does, and waits for the end. */
        void end(String signal) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still runs after SIG" + signal);
        }
    }

    @Test
    void itRunsUntilInterruptedAndKeepsItsData() throws Exception {
        Started first = startReady(PACKAGE, "false", FREE_PORTS);
        assertEquals(
                200,
                send(HttpRequest.newBuilder(URI.create(first.url("is ready on") + "/health")))
                        .statusCode());
        String message = "<QueueMessage><MessageText>&lt;kept&gt;</MessageText></QueueMessage>";
        URI queue = first.url("numbering-results/messages");
        assertEquals(
                201,
                send(HttpRequest.newBuilder(queue).POST(BodyPublishers.ofString(message)))
                        .statusCode());
        assertEquals(
                403,
                send(HttpRequest.newBuilder(URI.create(queue.toString().replaceFirst("&sig=.", "&sig="))))
                        .statusCode());
        first.end("INT");
        assertThrows(
                ConnectException.class,
                () -> new Socket("127.0.0.1", first.url("is ready on").getPort()));
        assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", queue.getPort()));

        Started second = startReady(PACKAGE, "false", FREE_PORTS);
        assertTrue(send(HttpRequest.newBuilder(second.url("numbering-results/messages")))
                .body()
                .contains("&lt;kept&gt;"));
        second.end("TERM");
        assertThrows(
                ConnectException.class,
                () -> new Socket(
                        "127.0.0.1", second.url("numbering-results/messages").getPort()));
    }

    /** Each of the two once allocated the numbers of the other. */
    @Test
    void twoStartsDoNotShareTheirData() throws Exception {
        Path kept = Files.createDirectories(project.resolve(".azurite/kept"));
        Started first = startReady(healthy(), "false", FREE_PORTS);
        assertRefused(
                "Another start uses the data in " + project.resolve(".azurite"),
                start(healthy(), "true", FREE_PORTS, Map.of()));
        assertTrue(Files.exists(kept));
        first.end("TERM");
        startReady(healthy(), "false", FREE_PORTS).end("TERM");
    }

    @Test
    @Tag("long")
    void freshEmptiesTheDataOfAnAzuriteThatItStarts() throws Exception {
        Path old = Files.createDirectories(project.resolve(".azurite/old"));
        Started started = startReady(healthy(), "true", FREE_PORTS);
        started.end("TERM");
        assertFalse(Files.exists(old));
        assertTrue(Files.exists(project.resolve(".azurite")));
    }

    @Test
    @Tag("long")
    void anAzuriteThatListensIsUsedAndKept() throws Exception {
        Azurite.Ports ports = SharedAzurite.ports();
        Path kept = Files.createDirectories(project.resolve(".azurite/kept"));
        Started started = startReady(healthy(), "true", ports.blob() + "," + ports.queue() + "," + ports.table());
        assertTrue(
                started.said.get(0).contains("Using the Azurite that already listens on port " + ports.table()),
                started.said.toString());
        assertTrue(started.said.get(0).contains("-Dfresh has no effect on it"), started.said.toString());
        started.end("TERM");
        assertTrue(Files.exists(kept));
        new Socket("127.0.0.1", ports.queue()).close();
    }

    @Test
    @Tag("long")
    void anAppThatIsKilledIsOneSentence() throws Exception {
        Started started = startReady(healthy(), "true", FREE_PORTS);
        ProcessHandle app = started.process
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .findAny()
                .orElseThrow();
        app.destroyForcibly();

        String said = started.process.inputReader().lines().collect(Collectors.joining("\n"));
        assertEquals(137, started.process.waitFor(), said);
        assertTrue(said.contains("The process of the app was killed"), said);
    }

    @Test
    @Tag("long")
    void settingsOfTheProjectGoBeforeThoseOfThePackage() throws Exception {
        Path app = project.resolve("app");
        FixtureApp.in(app, Misconfigured.class)
                .file(
                        "local.settings.json",
                        """
                {"Values": {"NumeraStorage": "UseDevelopmentStorage=true", "WRONG": "of the package"}}""")
                .write();
        Files.writeString(project.resolve("local.settings.json"), "{\"Values\": {\"WRONG\": \"of the project\"}}");
        assertRefused("of the project", start(app.toString(), "false", FREE_PORTS, Map.of()));
    }

    @Test
    void anUnpackagedAppIsOneSentence() throws Exception {
        assertRefused(
                "There is no packaged function app in nowhere: run 'mvn package' first.",
                start("nowhere", "false", FREE_PORTS, Map.of()));
    }

    @Test
    void aMissingNodeIsOneSentence() throws Exception {
        Process process = start(PACKAGE, "false", FREE_PORTS, Map.of("PATH", project.toString()));
        assertRefused("Cannot run 'node': install Node 22 or later and put it on the PATH", process);
    }

    @Test
    void aWrongKeyOfTheAccountIsOneSentence() throws Exception {
        String wrong = SharedAzurite.connectionString().replaceFirst("AccountKey=[^;]+", "AccountKey=d3Jvbmc=");

        assertRefused(
                "the account refused a request: is its key or shared access signature right?",
                start(PACKAGE, "false", FREE_PORTS, Map.of("NumeraStorage", wrong)));
    }

    @Test
    void aPortOfAzuriteThatIsTakenByOthersIsOneSentence() throws Exception {
        try (ServerSocket other = new ServerSocket(0)) {
            other.setSoTimeout(1);
            assertRefused(
                    "Port " + other.getLocalPort() + " is in use by a program that is not Azurite",
                    start(PACKAGE, "false", other.getLocalPort() + ",0,0", Map.of()));
        }
    }

    @Test
    void aBadPortIsOneSentence() throws Exception {
        assertRefused(
                "-Dport=0 must be a port from 0 to 65535, and -DazuritePorts=1,2 three of them",
                start(PACKAGE, "false", "1,2", Map.of()));
    }

    /** Writes an app that is ready sooner than the project's. */
    private String healthy() throws IOException {
        return FixtureApp.in(project.resolve("app"), Healthy.class)
                .file("local.settings.json", "{\"Values\": {\"NumeraStorage\": \"UseDevelopmentStorage=true\"}}")
                .write()
                .toString();
    }

    private Started startReady(String packageFolder, String fresh, String azuritePorts) throws IOException {
        Process process = start(packageFolder, fresh, azuritePorts, Map.of());
        List<String> said = new ArrayList<>();
        BufferedReader output = process.inputReader();
        while (said.stream().noneMatch(line -> line.contains("curl 'http"))) {
            String line = output.readLine();
            assertTrue(line != null, "ended and said " + said);
            said.add(line);
        }
        return new Started(process, said);
    }

    private Process start(String packageFolder, String fresh, String azuritePorts, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isDirectory(Path.of("/proc"))) {
            // A background process of a shell ignores SIGINT, and its children would inherit that.
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                HostJvm.classPath(),
                Start.class.getName(),
                project.toString(),
                packageFolder,
                "0",
                "",
                fresh,
                azuritePorts));
        ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
        process.environment().putAll(environment);
        return process.start();
    }

    private static void assertRefused(String sentence, Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(1, process.waitFor(), said);
        assertTrue(said.contains(sentence), said);
        assertEquals(1, said.strip().lines().count(), said);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }
}
