package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.maintain.prove.CannotProve;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command for a morning mail reads each page with a key, and its exit code says whether to send the mail. */
class AttentionCommandIT {
    private static final Map<String, String> KEY = Map.of("NUMERA_KEY", "secret");

    /** A proxy that asked for a log-in with status 200 once looked like "nothing needs a person". */
    @ParameterizedTest
    @ValueSource(strings = {"{\"message\": \"please log in\"}", "", "null", "[]", "<html>"})
    void anotherProgramsAnswerIsNotAnEmptyList(String body) throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            byte[] answer = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        other.start();
        try {
            List<String> url = List.of("http://127.0.0.1:" + other.getAddress().getPort() + "/api");
            IOException refused = assertThrows(IOException.class, () -> AttentionCommand.run(KEY, url));
            assertTrue(refused.getMessage().contains("is not a deployment of Numera"), refused::getMessage);
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aKeyWithALineEndIsRefusedWithoutShowingIt() {
        String refused = assertThrows(
                        CannotProve.class,
                        () -> AttentionCommand.run(Map.of("NUMERA_KEY", "secret\r"), List.of("http://127.0.0.1:1/api")))
                .getMessage();
        assertFalse(refused.contains("secret"), refused);
        assertTrue(refused.contains("NUMERA_KEY must have visible ASCII characters only"), refused);
    }

    @Test
    void theExitCodeSaysWhetherSomethingNeedsAPerson() throws IOException {
        try (HostProcess host = HostProcess.start(SharedAzurite.emptyAccount(), Map.of(), Optional.of("secret"))) {
            List<String> url = List.of(host.baseUri() + "/api/");
            assertEquals(0, Maintain.attention(KEY, url));

            NumeraClient client = new NumeraClient(host.baseUri());
            for (int i = 0; i <= 50; i++) {
                client.send("POST", "/api/sequences/shop/number-" + i + "/next", null, "x-functions-key", "secret")
                        .expect(200);
            }
            client.send(
                            "POST",
                            "/api/sequences/shop/number-9/suspend",
                            "{\"reason\": \"audit\"}",
                            "x-functions-key",
                            "secret",
                            "Content-Type",
                            "application/json")
                    .expect(200);

            assertEquals(1, Maintain.attention(KEY, url));
            List<String> lines = AttentionCommand.run(KEY, url);
            assertEquals(1, lines.size());
            assertTrue(
                    lines.get(0).matches("suspended shop/number-9: since [^,]*, reason audit > Resume .*"),
                    lines.get(0));
            assertEquals(2, Maintain.attention(Map.of(), url));
            IOException refused = assertThrows(IOException.class, () -> AttentionCommand.run(Map.of(), url));
            assertTrue(refused.getMessage().contains("NUMERA_KEY"), refused::getMessage);
        }
        assertEquals(2, Maintain.attention(KEY, List.of("http://127.0.0.1:1/api")));
        assertEquals(2, Maintain.attention(KEY, List.of()));
        for (String noUrl : List.of("shop", "ftp://127.0.0.1/api", "http://127.0.0.1/api?a=b", "http://a b/api")) {
            assertThrows(NoCommand.class, () -> AttentionCommand.run(KEY, List.of(noUrl)), noUrl);
        }
    }
}
