package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.localhost.Azurite;
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
 * Each client library makes every call against the app, behind a proxy that loses, cuts, refuses and doubles a quarter
 * of its requests: on a gapless sequence no number is allocated twice, and none is skipped.
 */
@Timeout(180)
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

    @ParameterizedTest
    @EnumSource
    void everyCallSucceedsWhateverFails(ClientLanguage language, @TempDir Path folder) throws Exception {
        String sequence = "clients/" + language.name();
        NumeraClient direct = new NumeraClient(host.baseUri());
        direct.send("PUT", "/api/sequences/" + sequence, "{\"guarantee\": \"gapless\"}", "If-None-Match", "*")
                .expect(201);
        String calls =
                Files.readString(ClientLanguage.SCENES.resolve("app.json")).replace("SEQUENCE", sequence);
        JsonNode scenes = JSON.readTree(calls);
        Path table = Files.writeString(folder.resolve("app.json"), calls);

        proxy.traffic().forget();
        proxy.injectRandomly(language.ordinal(), SHARE_OF_FAULTS, FAULTS);
        List<String> outcomes = language.play("http://127.0.0.1:" + proxy.port() + "/api", table, folder);
        proxy.heal();

        long faults = proxy.traffic().faults().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertTrue(faults >= FEWEST_FAULTS, () -> "faults: " + proxy.traffic().faults());
        Outcomes.judge(scenes, outcomes);
        JsonNode state =
                direct.get("/api/sequences/" + sequence + "/state").expect(200).body();
        assertEquals(102, state.get("next").asLong());
    }
}
