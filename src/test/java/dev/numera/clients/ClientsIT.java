package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.localhost.Azurite;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Makes every call with each client library while a proxy loses, cuts off, refuses or duplicates a quarter of the
 * requests, and while the app is killed. A gapless sequence allocates no number twice and skips none.
 */
@Timeout(600)
@Tag("long")
class ClientsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double SHARE_OF_FAULTS = 0.25;
    private static final int FEWEST_FAULTS = 4;
    private static final List<Fault> FAULTS = List.of(
            Fault.replyLost(),
            Fault.replyCut(),
            Fault.closedBeforeForwarding(),
            Fault.retryAfter(503, 1),
            Fault.status(429, ErrorBody.NONE),
            Fault.committedButStatus(500, ErrorBody.HTML),
            Fault.forwardedTwice());

    private static Azurite azurite;
    private static HostProcess host;
    private static FaultProxy proxy;

    @BeforeAll
    static void start() {
        azurite = Azurite.inMemory();
        host = HostProcess.start(azurite.connectionString(), Map.of());
        proxy = FaultProxy.before(new Azurite.Ports(0, 0, host.baseUri().getPort()));
    }

    @AfterAll
    static void stop() {
        proxy.close();
        host.close();
        azurite.close();
    }

    /** The app is killed twice after it commits a number and before it answers, and restarts at the same address. */
    @ParameterizedTest
    @EnumSource
    void everyCallSucceedsWhenTheAppIsKilledInMidCall(ClientLanguage language, @TempDir Path folder) throws Exception {
        String sequence = "killed/" + language.name();
        try (FaultProxy storage = FaultProxy.before(azurite.ports());
                RestartedApp app = new RestartedApp(storage.connectionString());
                FaultProxy before = FaultProxy.before(new Azurite.Ports(0, 0, app.port()))) {
            NumeraClient direct = new NumeraClient(app.baseUri());
            direct.send("PUT", "/api/sequences/" + sequence, "{\"guarantee\": \"gapless\"}", "If-None-Match", "*")
                    .expect(201);
            storage.inject(Fault.lostAfter(app::killAndRestart), Nth.of(RequestKind.TRANSACTION, 2));
            storage.inject(Fault.lostAfter(app::killAndRestart), Nth.of(RequestKind.TRANSACTION, 4));
            // The players sleep only for milliseconds, so the proxy holds one request until the app has restarted.
            before.inject(Fault.beatenBy(app::awaitReady), Nth.every());

            playsEveryCall(language, "http://127.0.0.1:" + before.port() + "/api", sequence, folder);

            assertEquals(2, app.kills());
            assertEquals(102, next(direct, sequence));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCallSucceedsWhateverFails(ClientLanguage language, @TempDir Path folder) throws Exception {
        String sequence = "clients/" + language.name();
        NumeraClient direct = new NumeraClient(host.baseUri());
        direct.send("PUT", "/api/sequences/" + sequence, "{\"guarantee\": \"gapless\"}", "If-None-Match", "*")
                .expect(201);
        proxy.traffic().forget();
        proxy.injectRandomly(language.ordinal(), SHARE_OF_FAULTS, FAULTS);
        playsEveryCall(language, "http://127.0.0.1:" + proxy.port() + "/api", sequence, folder);
        proxy.heal();

        long faults = proxy.traffic().faults().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertTrue(faults >= FEWEST_FAULTS, () -> "faults: " + proxy.traffic().faults());
        assertEquals(102, next(direct, sequence));
    }

    private static void playsEveryCall(ClientLanguage language, String url, String sequence, Path folder)
            throws Exception {
        String calls =
                Files.readString(ClientLanguage.SCENES.resolve("app.json")).replace("SEQUENCE", sequence);
        Path table = Files.writeString(folder.resolve("app.json"), calls);
        Outcomes.judge(JSON.readTree(calls), language.play(url, table, folder));
    }

    private static long next(NumeraClient client, String sequence) {
        return client.get("/api/sequences/" + sequence + "/state")
                .expect(200)
                .body()
                .get("next")
                .asLong();
    }

    /** An app that can be killed and restarts at the same port. Thread-safe. */
    private static final class RestartedApp implements AutoCloseable {
        private final String storage;
        private HostProcess host;
        private int kills;

        RestartedApp(String storage) {
            this.storage = storage;
            host = HostProcess.start(storage, Map.of());
        }

        synchronized URI baseUri() {
            return host.baseUri();
        }

        int port() {
            return baseUri().getPort();
        }

        synchronized void killAndRestart() {
            HostProcess killed = host;
            killed.kill();
            host = HostProcess.restart(killed, storage);
            killed.close();
            kills++;
        }

        synchronized void awaitReady() {
            // The method waits for the lock, which the restart holds until the app is ready.
        }

        synchronized int kills() {
            return kills;
        }

        @Override
        public synchronized void close() {
            host.close();
        }
    }
}
