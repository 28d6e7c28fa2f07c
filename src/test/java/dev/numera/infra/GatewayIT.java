package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.Program;
import dev.numera.fixtures.SharedAzurite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configuration of NGINX in {@code infra/gateway}, between callers and an app that requires rights. Only addresses,
 * the key and TLS are replaced. A server of this test stands for the sidecar that validates tokens: the token is the
 * list of roles.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayIT {
    private static final Path CONFIGURATION = Path.of("infra/gateway/nginx.conf");
    private static final String NGINX = "nginx";
    private static final String KEY = "secret";
    private static final String TOKEN = "Bearer roles=";
    private static final String NEXT = "/api/sequences/Shop1/invoice/next";

    private HttpServer sidecar;
    private HostProcess app;
    private Process nginx;
    private NumeraClient gateway;
    private NumeraClient stranger;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        assumeTrue(Program.isOnPath(NGINX), "NGINX is not installed (Debian: nginx-light), so its file is not tried");
        sidecar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        sidecar.createContext("/validate", GatewayIT::validate);
        sidecar.start();
        app = HostProcess.start(SharedAzurite.emptyAccount(), Map.of("Numera_Rights", "required"), Optional.of(KEY));
        int port = freePort();
        Path file = Files.writeString(folder.resolve("nginx.conf"), configuration(port, folder));
        nginx = new ProcessBuilder(NGINX, "-p", folder.toString(), "-e", "stderr", "-c", file.toString())
                .inheritIO()
                .start();
        URI address = URI.create("http://127.0.0.1:" + port);
        gateway = new NumeraClient(address);
        stranger = NumeraClient.ofAnyVersion(address);
        awaitOpen(port);
    }

    @AfterAll
    void stop() {
        if (nginx != null) {
            nginx.destroy();
            app.close();
            sidecar.stop(0);
        }
    }

    private String configuration(int port, Path folder) throws IOException {
        String server = Files.readString(CONFIGURATION)
                .replaceAll("(?m)^ *(ssl_certificate|proxy_ssl_).*\\n", "")
                .replace("listen 8443 ssl;", "listen 127.0.0.1:" + port + ";")
                .replace("127.0.0.1:4180", "127.0.0.1:" + sidecar.getAddress().getPort())
                .replace("https://APP.azurewebsites.net", "" + app.baseUri())
                .replace("APP.azurewebsites.net", app.baseUri().getAuthority())
                .replace("x-functions-key KEY", "x-functions-key " + KEY);
        String folders = Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .map(kind -> kind + "_temp_path " + folder.resolve(kind) + ";\n")
                .collect(Collectors.joining());
        return "daemon off;\nuser root;\nworker_processes 1;\npid " + folder.resolve("pid")
                + ";\nevents {}\nhttp {\naccess_log off;\n" + folders + server + "}\n";
    }

    private static void validate(HttpExchange exchange) throws IOException {
        try (exchange) {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            if (token == null || !token.startsWith(TOKEN)) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            exchange.getResponseHeaders().set("X-Roles", token.substring(TOKEN.length()));
            exchange.getResponseHeaders().set("X-Actor-Id", "aad:8c1e");
            exchange.getResponseHeaders().set("X-Actor", "Anna%20M%C3%BCller");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitOpen(int port) throws InterruptedException {
        for (int tries = 0; tries < 100; tries++) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                assertTrue(nginx.isAlive(), e::toString);
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    @Test
    void rolesOfTheTokenAreTheRights() {
        as("Numera.Allocate:Shop1").expect(200);
        JsonNode refused = as("Numera.Allocate:Shop2 Other.Role")
                .expectProblem(403, "rights-missing")
                .body();
        assertEquals("[\"Numera.Allocate:Shop2\"]", refused.get("has").toString());
        assertEquals(
                "[]",
                as("Other.Role")
                        .expectProblem(403, "rights-missing")
                        .body()
                        .get("has")
                        .toString());
    }

    @Test
    void aTokenWithoutRolesOpensNothing() {
        as("").expectProblem(403, "rights-missing");
        as(" ").expectProblem(403, "rights-missing");
    }

    @Test
    void nobodyPassesWithoutAToken() {
        for (String[] header : new String[][] {{"x-functions-key", KEY}, {"Numera-Rights", "Numera.Allocate"}}) {
            assertEquals(401, stranger.send("POST", NEXT, null, header).status());
        }
    }

    @Test
    void whatTheCallerClaimsIsReplaced() {
        JsonNode me = gateway.send(
                        "GET",
                        "/api/me",
                        null,
                        "Authorization",
                        TOKEN + "Numera.Read:Shop1",
                        "Numera-Rights",
                        "Numera.Operate",
                        "Numera-Actor",
                        "boss",
                        "Numera-Actor-Id",
                        "aad:boss",
                        "x-functions-key",
                        "other")
                .expect(200)
                .body();
        assertEquals(
                "{\"actor\":\"Anna Müller\",\"actorId\":\"aad:8c1e\",\"rights\":[\"Numera.Read:Shop1\"],"
                        + "\"source\":\"header\"}",
                me.toString());
    }

    @Test
    void aBodyPassesWhole() {
        String keys = IntStream.range(0, 3_000)
                .mapToObj(number -> "\"" + number + "x".repeat(200) + "\"")
                .collect(Collectors.joining(","));
        gateway.send(
                        "POST",
                        "/api/sequences/Shop1/invoice/batches",
                        "{\"keys\": [" + keys + "]}",
                        "Authorization",
                        TOKEN + "Numera.Allocate:Shop1")
                .expect(202);
    }

    private NumeraClient.Reply as(String roles) {
        return gateway.send("POST", NEXT, null, "Authorization", TOKEN + roles);
    }
}
