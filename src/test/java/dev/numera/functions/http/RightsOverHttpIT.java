package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.maintain.Maintain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tenants and roles that share a key, and a gateway that vouches for people, through a host. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RightsOverHttpIT {
    private static final String STORAGE = SharedAzurite.emptyAccount();
    private static final String KEY = "secret";

    private HostProcess optional;
    private HostProcess required;
    private NumeraClient client;
    private NumeraClient gateway;
    private String upload;

    @BeforeAll
    void start() {
        optional = HostProcess.start(STORAGE, Map.of());
        required = HostProcess.start(STORAGE, Map.of("Numera_Rights", "required"), Optional.of(KEY));
        client = new NumeraClient(optional.baseUri());
        gateway = new NumeraClient(required.baseUri());
        for (String sequence : List.of("Shop1/invoice", "Shop1/order", "Shop3/invoice", "Shop3/order")) {
            client.next(sequence, "", "a").expect(200);
        }
        upload = client.send("POST", "/api/sequences/Shop3/invoice/batches", "{\"keys\": [\"b\", \"c\"]}")
                .expect(202)
                .location();
        client.awaitUpload(upload, Duration.ofMinutes(1), optional::output);
    }

    @AfterAll
    void stop() {
        optional.close();
        required.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | sequences/Shop1/invoice/next | | 200 |",
                "POST | sequences/Shop1/invoice/next | Numera.Allocate:Shop1 | 200 |",
                "POST | sequences/Shop2/invoice/next | Numera.Allocate:Shop1 | 403"
                        + " | Numera.Allocate:Shop2 Numera.Allocate",
                "GET | sequences/Shop1/invoice/ledger | Numera.Allocate:Shop1 | 403 | Numera.Read:Shop1 Numera.Read",
                "GET | sequences/Shop9/invoice/ledger | Numera.Read:Shop1 | 403 | Numera.Read:Shop9 Numera.Read",
                "GET | find?q=x | Numera.Read:Shop1 | 403 | Numera.Read",
                "GET | find?q=x&scope=Shop1 | Numera.Read:Shop1 | 200 |",
                "GET | find?q=x&scope=Shop2 | Numera.Read:Shop1 | 403 | Numera.Read:Shop2 Numera.Read",
                "GET | sequences | Numera.Read:Shop1 | 403 | Numera.Read",
                "GET | sequences | Numera.Read | 200 |",
                "GET | poison | Numera.Operate:Shop1 | 403 | Numera.Operate",
                "GET | poison | Numera.Operate | 200 |",
                "GET | poison | Numera.Read Numera.Allocate Numera.Define | 403 | Numera.Operate",
                "PUT | sequences/eu-7/invoice | Numera.Define:eu-* | 201 |",
                "PUT | sequences/us-1/invoice | Numera.Define:eu-* | 403 | Numera.Define:us-1 Numera.Define",
                "PUT | sequences/~/invoice | Numera.Define:eu-* | 403 | Numera.Define:~ Numera.Define",
                "POST | sequences/Shop1/invoice/next | '' | 403 | Numera.Allocate:Shop1 Numera.Allocate",
                "POST | sequences/Shop1/invoice/next | Other.Role | 403 | Numera.Allocate:Shop1 Numera.Allocate",
                "POST | sequences/Shop1/invoice/next | numera.read | 403 | Numera.Allocate:Shop1 Numera.Allocate",
                "GET | me | numera.read | 403 | Numera.Allocate Numera.Read Numera.Define Numera.Operate",
                "POST | sequences/Shop1/invoice/next | Numera.Read:* | 400 |",
                "GET | health | Numera.Nothing | 200 |",
                "POST | sequences/Shop%31/invoice/next | Numera.Allocate:Shop1 | 200 |",
                "POST | sequences/Shop%31/invoice/next | Numera.Allocate:Shop2 | 403"
                        + " | Numera.Allocate:Shop1 Numera.Allocate",
                "POST | sequences/shop1/invoice/next | Numera.Allocate:Shop1 | 403"
                        + " | Numera.Allocate:shop1 Numera.Allocate",
                "POST | SEQUENCES/Shop3/invoice/NEXT | Numera.Allocate:Shop1 | 403"
                        + " | Numera.Allocate:Shop3 Numera.Allocate"
            })
    void aCallHasTheRightsOfItsHeaderOnly(String method, String path, String rights, int status, String needs) {
        String[] headers = rights == null
                ? new String[] {"If-None-Match", "*"}
                : new String[] {"If-None-Match", "*", "Numera-Rights", rights};
        NumeraClient any = path.startsWith("SEQUENCES") ? NumeraClient.ofAnyVersion(optional.baseUri()) : client;
        Reply reply = any.send(method, "/api/" + path, method.equals("PUT") ? "{}" : null, headers);

        assertEquals(status, reply.status(), reply.raw()::body);
        if (status == 403) {
            reply.expectProblem(403, "rights-missing");
            assertEquals(needs, words(reply.body().get("needs")));
            assertEquals(
                    needs.equals("Numera.Read"),
                    reply.body().get("detail").textValue().contains("scope="),
                    reply.raw()::body);
        }
    }

    @Test
    void aRefusedCallCreatesNothing() {
        String[] rights = {"Numera-Rights", "Numera.Allocate:Shop1"};
        client.send("POST", "/api/sequences/Shop4/invoice/next", null, rights).expect(403);
        client.send("POST", "/api/sequences/Shop4/invoice/batches", "{\"keys\": [\"a\"]}", rights)
                .expect(403);
        assertEquals(
                0,
                client.get("/api/sequences?scope=Shop4")
                        .expect(200)
                        .body()
                        .get("sequences")
                        .size());
    }

    /** The host joins repeated headers by commas, so whoever adds a header to that of a gateway gains nothing. */
    @Test
    void aSecondHeaderAndALongOneAreRefused() {
        String path = "/api/sequences/Shop1/invoice/state";
        client.send("GET", path, null, "Numera-Rights", "Numera.Read", "Numera-Rights", "Numera.Read:Shop1")
                .expectProblem(400, "invalid-request");
        client.send("GET", path, null, "Numera-Rights", "x".repeat(4_097)).expectProblem(400, "invalid-request");
    }

    @Test
    void aContinuationOfAnotherScopeIsRefused() {
        String first = "/api/sequences?limit=1&scope=";
        String foreign = client.get(first + "Shop3")
                .expect(200)
                .body()
                .get("continuation")
                .textValue();
        for (String token : List.of(foreign, PageToken.encode("Shop3/invoice", "sequences Shop1"))) {
            client.send("GET", first + "Shop1&continuation=" + token, null, "Numera-Rights", "Numera.Read:Shop1")
                    .expectProblem(400, "invalid-request");
        }
        client.send(
                        "GET",
                        "/api/find?q=a&scope=Shop1&continuation=" + PageToken.encode("Shop3/invoice", "find Shop1 a"),
                        null,
                        "Numera-Rights",
                        "Numera.Read:Shop1")
                .expectProblem(400, "invalid-request");
        Reply uploads = client.send(
                "GET",
                "/api/sequences/Shop1/invoice/batches?continuation="
                        + PageToken.encode("Shop3/invoice", "batches Shop1/invoice"),
                null,
                "Numera-Rights",
                "Numera.Read:Shop1");
        assertFalse(uploads.raw().body().contains("Shop3"), uploads.raw()::body);
        assertEquals(0, uploads.body().path("batches").size(), uploads.raw()::body);
    }

    @Test
    void anUploadOfAnotherScopeHasNoAddressInThisOne() {
        String id = upload.substring(upload.lastIndexOf('/') + 1);
        String[] rights = {"Numera-Rights", "Numera.Allocate:Shop1 Numera.Read:Shop1"};
        client.send("GET", upload, null, rights).expectProblem(403, "rights-missing");
        client.send("GET", "/api/sequences/Shop1/invoice/batches/" + id, null, rights)
                .expectProblem(404, "unknown-batch");
        client.send("GET", "/api/sequences/Shop1/invoice/imports/" + id, null, rights)
                .expectProblem(404, "unknown-import");
    }

    @Test
    void aGatewayThatForgetsTheHeaderFailsClosed() {
        String path = "/api/sequences/Shop1/invoice/next";
        assertEquals(401, gateway.send("POST", path, null).status());
        assertEquals(
                401,
                gateway.send("POST", path, null, "Numera-Rights", "Numera.Allocate")
                        .status());
        Reply forgot = gateway.send("POST", path, null, "x-functions-key", KEY);
        forgot.expectProblem(403, "rights-missing");
        assertEquals("", words(forgot.body().get("has")));
        gateway.get("/api/health").expect(200);
        gateway.send("POST", path, null, "x-functions-key", KEY, "Numera-Rights", "Numera.Allocate:Shop1")
                .expect(200);
    }

    @Test
    void everyCallCanAskWhoItIs() {
        JsonNode key = client.send("GET", "/api/me", null, "Numera-Actor", "anna")
                .expect(200)
                .body();
        assertEquals("{\"actor\":\"anna\",\"rights\":[\"all\"],\"source\":\"key\"}", key.toString());
        JsonNode person = asAnna("GET", "/api/me", null, "Other.Role Numera.Read:eu-*")
                .expect(200)
                .body();
        assertEquals(
                "{\"actor\":\"Anna Berg\",\"actorId\":\"aad:8c1e\",\"rights\":[\"Numera.Read:eu-*\"],"
                        + "\"source\":\"header\"}",
                person.toString());
    }

    /** The id is stored with the name, and outlives a backup; what a caller may state stays without one. */
    @Test
    void theIdThatAGatewayVouchesForIsShownWithTheName(@TempDir Path folder) throws Exception {
        String base = "/api/sequences/Shop5/invoice";
        asAnna("POST", base + "/next?key=k", null, "Numera.Allocate:Shop5").expect(200);
        Reply voided = asAnna(
                        "POST",
                        base + "/status",
                        "{\"key\": \"k\", \"status\": \"void\", \"reason\": \"lost\"}",
                        "Numera.Allocate:Shop5")
                .expect(200);
        assertShown(voided.body());
        client.send("POST", base + "/next?key=l", null, "Numera-Actor", "ben").expect(200);
        asAnna("POST", base + "/suspend", "{}", "Numera.Define:Shop5").expect(200);
        asAnna("POST", base + "/resume", "{}", "Numera.Define:Shop5").expect(200);
        JsonNode changes = client.get(base + "/changes").expect(200).body().get("changes");
        assertEquals("aad:8c1e", changes.get(changes.size() - 1).get("actorId").textValue());
        assertLedger(client, base);

        String copy = SharedAzurite.emptyAccount();
        Path backup = folder.resolve("backup");
        Maintain.run(Map.of("NumeraStorage", STORAGE), "export", backup.toString());
        Maintain.run(Map.of("NumeraStorage", copy), "restore", backup.toString());
        try (HostProcess restored = HostProcess.start(copy, Map.of())) {
            assertLedger(new NumeraClient(restored.baseUri()), base);
        }
    }

    private static void assertLedger(NumeraClient reader, String base) {
        JsonNode entries = reader.get(base + "/ledger").expect(200).body().get("entries");
        assertShown(entries.get(0));
        assertEquals("ben", entries.get(1).get("actor").textValue());
        assertFalse(entries.get(1).has("actorId"));
        String[] lines = reader.send("GET", base + "/ledger", null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body()
                .split("\r\n");
        assertTrue(lines[0].endsWith(",actor,statusActor,actorId,statusActorId"), lines[0]);
        assertTrue(lines[1].endsWith(",Anna Berg,Anna Berg,aad:8c1e,aad:8c1e"), lines[1]);
        assertTrue(lines[2].endsWith(",ben,,,"), lines[2]);
    }

    private static void assertShown(JsonNode allocation) {
        for (String role : List.of("actor", "statusActor")) {
            assertEquals("Anna Berg", allocation.get(role).textValue(), allocation::toString);
            assertEquals("aad:8c1e", allocation.get(role + "Id").textValue(), allocation::toString);
        }
    }

    @Test
    void noCallerCanStateAnId() {
        String path = "/api/sequences/Shop6/invoice/next";
        client.send("POST", path, null, "Numera-Actor-Id", "aad:8c1e").expectProblem(400, "invalid-request");
        client.send("POST", path, null, "Numera-Actor", "x%1Faad%3A1").expectProblem(400, "invalid-request");
        gateway.send("POST", path, null, headers("Numera.Allocate", "Numera-Actor", "x", "Numera-Actor-Id", "a b"))
                .expectProblem(400, "invalid-request");
    }

    private Reply asAnna(String method, String path, String body, String rights) {
        return gateway.send(
                method, path, body, headers(rights, "Numera-Actor", "Anna%20Berg", "Numera-Actor-Id", "aad:8c1e"));
    }

    private static String[] headers(String rights, String... others) {
        List<String> headers = new ArrayList<>(List.of("x-functions-key", KEY, "Numera-Rights", rights));
        headers.addAll(List.of(others));
        return headers.toArray(String[]::new);
    }

    private static String words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.textValue()));
        return String.join(" ", words);
    }
}
