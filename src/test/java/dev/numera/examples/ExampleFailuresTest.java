package dev.numera.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Python examples against answers of a gateway, which {@code ExamplesIT} cannot produce. */
@Timeout(100)
@Tag("long")
class ExampleFailuresTest {
    private static final int CUT = 10;
    private static final String DATE = "Wed, 21 Oct 2026 07:28:00 GMT";

    /** An answer of the gateway; one with more missing bytes than 0 is cut off. */
    private record GatewayAnswer(int status, String body, int missingBytes, Map<String, String> headers) {}

    private final Queue<GatewayAnswer> replies = new ArrayDeque<>();
    private HttpServer server;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    @Test
    void ledgerIsWrittenAfterEachFailureThatARetryCanHelp() throws Exception {
        Path ledger = folder.resolve("ledger.csv");
        replies.add(new GatewayAnswer(429, "", 0, Map.of("Retry-After", DATE)));
        replies.add(new GatewayAnswer(200, "\uFEFFnumber\r\n", CUT, Map.of()));
        replies.add(new GatewayAnswer(200, "\uFEFFnumber\r\n1\r\n", 0, Map.of("Link", "</api/2>; rel=\"next\"")));
        replies.add(new GatewayAnswer(200, "\uFEFFnumber\r\n2\r\n", 0, Map.of()));

        assertEquals(new Program(0, ""), run("ledger_to_csv.py", ledger.toString(), "bom=true"));
        assertEquals("\uFEFFnumber\r\n1\r\n2\r\n", Files.readString(ledger));
    }

    @Test
    void ledgerThatCannotBeReadLeavesTheEarlierFile() throws Exception {
        Path ledger = Files.writeString(folder.resolve("ledger.csv"), "yesterday");
        replies.add(new GatewayAnswer(200, "number\r\n1\r\n", 0, Map.of("Link", "</api/2>; rel=\"next\"")));
        replies.add(new GatewayAnswer(403, "No rights.", 0, Map.of()));

        assertEquals(new Program(1, "403 No rights."), run("ledger_to_csv.py", ledger.toString()));
        assertEquals("yesterday", Files.readString(ledger));
    }

    @Test
    void uploadWaitsAlthoughTheTimeIsStatedAsADate() throws Exception {
        Path orders = Files.writeString(folder.resolve("orders.csv"), "order\na\n");
        Path numbered = folder.resolve("numbered.csv");
        replies.add(new GatewayAnswer(503, "", 0, Map.of("Retry-After", DATE)));
        replies.add(new GatewayAnswer(202, "{\"id\": \"1\"}", 0, Map.of()));
        replies.add(new GatewayAnswer(202, "{\"done\": 0, \"keys\": 1}", 0, Map.of("Retry-After", DATE)));
        replies.add(new GatewayAnswer(200, "order,number\r\na,1\r\n", 0, Map.of()));

        Program run = run("nightly_upload.py", orders.toString(), numbered.toString());

        assertEquals(new Program(0, "0 of 1"), run);
        assertEquals("order,number\r\na,1\r\n", Files.readString(numbered));
    }

    private Program run(String example, String... arguments) throws IOException, InterruptedException {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/api";
        Path file = Path.of("clients", "examples", example);
        List<String> command = new ArrayList<>(List.of("python3", "-B", file.toString()));
        command.addAll(List.of(arguments));
        Program run = Program.run(Map.of("NUMERA_URL", url), command.toArray(String[]::new));
        assertTrue(replies.isEmpty(), () -> replies + " " + run.output());
        return run;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            GatewayAnswer reply = replies.remove();
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            int length = body.length + reply.missingBytes();
            exchange.sendResponseHeaders(reply.status(), length == 0 ? -1 : length);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
        }
    }
}
