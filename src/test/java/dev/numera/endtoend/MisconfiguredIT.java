package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An app with a wrong setting runs without working, and answers every caller with the name of the setting but not its
 * value. {@code MisconfiguredTest} covers the other settings.
 */
class MisconfiguredIT {
    private static final String VALUE = "s3cret-value";

    @Test
    void aSettingThatIsUnknownIsNamed() {
        assertNamed("Numera_Attempts", SharedAzurite.connectionString(), Map.of("Numera_Attempts", VALUE));
    }

    /** An operator may add a setting before the version that knows it, or return to a version that does not. */
    @Test
    @Tag("long")
    void onAzureAnUnknownSettingIsAWarning() {
        Map<String, String> settings = Map.of("Numera_OfTomorrow", VALUE, "WEBSITE_SITE_NAME", "numera");
        SharedHost.client().get("/api/health").expect(200);
        try (HostProcess host = HostProcess.start(SharedAzurite.connectionString(), settings)) {
            Reply health = new NumeraClient(host.baseUri()).get("/api/health").expect(200);

            assertEquals(1, health.body().get("warnings").size());
            assertTrue(
                    health.body().at("/warnings/0").textValue().startsWith("The setting Numera_OfTomorrow is unknown"));
            assertTrue(
                    host.output().contains("SEVERE dev.numera.functions.App: The setting Numera_OfTomorrow is unknown"),
                    host::output);
            assertFalse(host.output().contains(VALUE), host::output);
        }
    }

    @Test
    void theLogBeginsWithTheVersion() {
        String first = SharedHost.process().output().lines().findFirst().orElseThrow();
        String version =
                SharedHost.client().get("/api/health").body().get("version").textValue();

        assertTrue(first.endsWith("Numera " + version), first);
    }

    private static void assertNamed(String setting, String storage, Map<String, String> settings) {
        try (HostProcess host = HostProcess.start(storage, settings)) {
            NumeraClient client = new NumeraClient(host.baseUri());
            for (Reply reply :
                    List.of(client.get("/api/health"), client.next("App1/order"), client.get("/api/openapi.json"))) {
                reply.expectProblem(503, "misconfigured");
                assertEquals(setting, reply.body().path("setting").textValue());
                assertTrue(
                        reply.body().get("detail").textValue().contains(setting),
                        reply.raw().body());
                assertFalse(reply.raw().body().contains(VALUE), reply.raw().body());
                assertFalse(reply.raw().headers().firstValue("Retry-After").isPresent());
            }
            // The host also logs, under another logger, that it cannot listen to the queue.
            List<String> errors = host.output()
                    .lines()
                    .filter(line -> line.contains("SEVERE dev.numera.functions"))
                    .toList();
            assertEquals(1, errors.size(), host::output);
            assertTrue(errors.get(0).contains(setting), errors::toString);
            assertFalse(host.output().contains(VALUE), host::output);
        }
    }
}
