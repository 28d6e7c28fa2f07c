package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies the files that {@code src/localhost/Dockerfile} copies and starts its first process, without a container
 * engine. Another loopback address replaces the address of the container.
 */
@Tag("long")
@Timeout(600)
@EnabledOnOs(OS.LINUX)
class ContainerIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Path AZURITE = Path.of("src/localhost/azurite/node_modules");
    private static final String OUTER_ADDRESS = "127.0.0.2";

    @TempDir
    private Path container;

    @Test
    void firstProcessServesTheAppAndAzuriteOnTheContainersAddress() throws IOException, InterruptedException {
        copyFiles();
        List<String> ports = freePorts();
        List<String> command = new ArrayList<>(List.of("node", "container.mjs"));
        command.addAll(ports);
        command.add(OUTER_ADDRESS);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(container.toFile()).redirectErrorStream(true);
        builder.environment().put("FUNCTION_KEY", "secret");
        Process process = builder.start();
        try {
            awaitReady(process.inputReader());

            assertEquals(200, get(ports.get(0), "/api/health").statusCode());
            assertEquals(401, next(ports.get(0), "wrong").statusCode());
            HttpResponse<String> allocated = next(ports.get(0), "secret");
            assertEquals(200, allocated.statusCode());
            assertTrue(allocated.body().contains("\"first\":1,"), allocated::body);
            for (String port : ports.subList(1, 4)) {
                String server = get(port, "/devstoreaccount1")
                        .headers()
                        .firstValue("Server")
                        .orElse("");
                assertTrue(server.startsWith("Azurite"), server);
            }
        } finally {
            process.destroy();
            boolean ended = process.waitFor(120, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertTrue(ended);
        }
        // The process gave Azurite time to write before it ended.
        assertTrue(Files.size(container.resolve(".azurite/__azurite_db_table__.json")) > 0);
    }

    /** Copies the files of each COPY except Java's, and the packages that npm installs. */
    private void copyFiles() throws IOException {
        List<String> copies = Pattern.compile("(?m)^COPY (?!--from)(.*)$")
                .matcher(Files.readString(Path.of("src/localhost/Dockerfile")))
                .results()
                .map(copy -> copy.group(1))
                .toList();
        for (String copy : copies) {
            List<String> paths = List.of(copy.split(" "));
            String target = paths.get(paths.size() - 1);
            for (String source : paths.subList(0, paths.size() - 1)) {
                Path from = Path.of(source);
                copy(from, container.resolve(target.endsWith("/") ? target + from.getFileName() : target));
            }
        }
        if (Files.exists(AZURITE)) {
            Files.createSymbolicLink(container.resolve(AZURITE), AZURITE.toAbsolutePath());
        }
    }

    private static void copy(Path source, Path target) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(source)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path copy = target.resolve(source.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    private static List<String> freePorts() throws IOException {
        List<String> ports = new ArrayList<>();
        List<ServerSocket> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            open.add(socket);
            ports.add(String.valueOf(socket.getLocalPort()));
        }
        for (ServerSocket socket : open) {
            socket.close();
        }
        return ports;
    }

    private static void awaitReady(BufferedReader output) throws IOException {
        StringBuilder printed = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            printed.append(line).append('\n');
            if (line.startsWith("Numera is ready")) {
                return;
            }
        }
        throw new AssertionError("It ended and printed:\n" + printed);
    }

    private static HttpResponse<String> get(String port, String path) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> next(String port, String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(port, "/api/sequences/demo/invoice/next"))
                .header("x-functions-key", key)
                .POST(BodyPublishers.noBody())
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    private static URI uri(String port, String path) {
        return URI.create("http://" + OUTER_ADDRESS + ":" + port + path);
    }
}
