package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedAzurite;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may create a sequence by asking for its first number, where {@code Numera_AutoCreate} is not the default. */
class AutoCreateIT {
    private static HostProcess host(String autoCreate) {
        return HostProcess.start(SharedAzurite.connectionString(), Map.of("Numera_AutoCreate", autoCreate));
    }

    private static void putTemplate(NumeraClient client, String name) {
        client.send("PUT", "/api/sequences/~/" + name, "{\"start\": 700, \"format\": \"T{n:4}\"}", "If-None-Match", "*")
                .expect(201);
    }

    @Test
    void withTemplateOnlyNamesWithATemplateAreCreated() {
        try (HostProcess host = host("template")) {
            NumeraClient client = new NumeraClient(host.baseUri());
            putTemplate(client, "auto-template");

            Reply first = client.next("auto/auto-template").expect(200);
            assertEquals(700, first.first());
            assertEquals("[\"T0700\"]", first.body().get("texts").toString());
            assertTrue(first.body().get("created").booleanValue());

            client.next("auto/without-template").expectProblem(404, "unknown-sequence");
            client.get("/api/sequences/auto/without-template").expectProblem(404, "unknown-sequence");
        }
    }

    @Test
    void withNeverATemplateCreatesNothingEither() {
        try (HostProcess host = host("never")) {
            NumeraClient client = new NumeraClient(host.baseUri());
            putTemplate(client, "auto-never");

            client.next("auto/auto-never").expectProblem(404, "unknown-sequence");
            client.get("/api/sequences/auto/auto-never").expectProblem(404, "unknown-sequence");

            client.send("PUT", "/api/sequences/auto/auto-never", "{}", "If-None-Match", "*")
                    .expect(201);
            assertEquals(1, client.next("auto/auto-never").expect(200).first());
        }
    }
}
