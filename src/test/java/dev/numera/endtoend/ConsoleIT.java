package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.net.httpserver.HttpServer;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.Program;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plays the scenes of {@code src/test/console} in a browser, run by Node with the packaged app and Azurite. They save
 * pictures of every view to {@code target/screenshots}, or to the folder in the environment variable
 * {@code CONSOLE_SCREENSHOTS}. They are skipped if no browser can start, unless {@code CONSOLE_BROWSER} is
 * {@code required}. {@code CONSOLE_CHROME} selects another browser than the one from npm. No variable starts with
 * Numera, because the app would read it as a setting.
 */
@Tag("long")
class ConsoleIT {
    private static final Path HOME = Path.of("src", "test", "console");
    private static final String KEY = "secret";
    /** Longer limits, because a starting browser takes the processors and slows down storage on the same machine. */
    private static final Map<String, String> PATIENT =
            Map.of("Numera_StorageTimeoutMillis", "20000", "Numera_DeadlineMillis", "40000");

    private static final int NO_BROWSER = 3;

    @Test
    void everySceneWorks() throws Exception {
        play("console.test.mjs", PATIENT);
    }

    @Test
    void everyViewIsReadableAndAccessible() throws Exception {
        play("views.test.mjs", PATIENT);
    }

    @Test
    void showsMoreThanAPageHolds() throws Exception {
        play("many.test.mjs", PATIENT);
    }

    @Test
    void worksBehindAGatewayThatSetsRights() throws Exception {
        Map<String, String> settings = new TreeMap<>(PATIENT);
        settings.put("Numera_Rights", "required");
        play("rights.test.mjs", settings);
    }

    private static void play(String scenes, Map<String, String> settings) throws Exception {
        Program.installPackages(HOME);
        try (Azurite azurite = Azurite.inMemory();
                FaultProxy proxy = FaultProxy.before(azurite.ports());
                HostProcess host = HostProcess.start(proxy.connectionString(), settings, Optional.of(KEY))) {
            HttpServer storage = storageSwitch(proxy);
            Program node = Program.run(
                    Map.of(
                            "NUMERA_URL",
                            host.baseUri().toString(),
                            "NUMERA_KEY",
                            KEY,
                            "NUMERA_STORAGE",
                            azurite.connectionString(),
                            "NUMERA_STORAGE_SWITCH",
                            "http:/" + storage.getAddress() + "/"),
                    "node",
                    "--test-reporter=spec",
                    HOME.resolve(scenes).toString());
            storage.stop(0);
            skipWithoutBrowser(node);
            assertEquals(0, node.exit(), node.output());
            assertTrue(!host.output().contains("SEVERE"), host::output);
        }
    }

    private static void skipWithoutBrowser(Program node) {
        if (node.exit() == NO_BROWSER && !"required".equals(System.getenv("CONSOLE_BROWSER"))) {
            abort("No browser can start here, so the console is not tried: " + node.output());
        }
    }

    /** Starts a server through which the scenes stop storage with {@code /down} and restart it with {@code /up}. */
    private static HttpServer storageSwitch(FaultProxy proxy) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            proxy.heal();
            if (exchange.getRequestURI().getPath().equals("/down")) {
                proxy.inject(Fault.status(403, ErrorBody.XML), Nth.every());
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
