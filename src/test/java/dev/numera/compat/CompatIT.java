package dev.numera.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.azure.StorageConnection;
import dev.numera.azure.TableNames;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.sequences.lists.Upload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * This version reads, replays, parses and continues the rows that earlier versions wrote, and keeps the columns that a
 * later version added. {@link Scene} created the rows and {@link CompatExport} wrote them to files.
 */
class CompatIT {
    private static final Path ROWS = Path.of("src", "test", "compat");
    private static String storage;
    private static HostProcess host;
    private static NumeraClient client;

    @BeforeAll
    static void importRows(@TempDir Path folder) throws Exception {
        storage = SharedAzurite.emptyAccount();
        new CompatRows(new StorageConnection.ConnectionString(storage)).importFrom(allRows(folder));
        host = HostProcess.start(storage, Map.of());
        client = new NumeraClient(host.baseUri());
    }

    private static Path allRows(Path folder) throws IOException {
        Path all = folder.resolve("rows.jsonl");
        try (Stream<Path> files = Files.list(ROWS)) {
            for (Path file : files.sorted().toList()) {
                Files.writeString(all, Files.readString(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
        return all;
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    private static JsonNode get(String path) {
        return client.get("/api/sequences/" + path).expect(200).body();
    }

    private static long parsed(String sequence, String text) {
        return client.send("POST", "/api/sequences/" + sequence + "/parse", "{\"text\": \"" + text + "\"}")
                .expect(200)
                .body()
                .get("number")
                .longValue();
    }

    private static List<String> texts(JsonNode numbers) {
        return StreamSupport.stream(numbers.path("texts").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private static void assertReplayed(String sequence, String query, String key, long first, String... texts) {
        JsonNode again = client.next(sequence, query, key).expect(200).body();
        assertEquals(first, again.get("first").longValue(), key);
        assertTrue(again.path("replayed").booleanValue(), key);
        assertEquals(List.of(texts), texts(again), key);
    }

    @Test
    void theSameKeyHasTheSameNumbersAndTexts() {
        assertReplayed("compat/invoice", "", "a", 1, "INV-0001");
        assertReplayed("compat/invoice", "?count=3", "b", 2, "INV-0002", "INV-0003", "INV-0004");
        assertReplayed("compat/invoice", "", "c", 1042, "INV-1042");
        assertReplayed("compat/invoice", "", "d", 1043, "2026/001043");
        assertReplayed("compat/yearly", "?date=2025-06-01", "x", 1);
        assertReplayed("compat/yearly", "?date=2026-06-01", "y", 1);
        assertReplayed("compat/down", "?count=2", "p", 3);
        assertReplayed("compat/retired", "", "r", 1);
    }

    @Test
    void definitionsAreReadAsTheyWereDeclared() {
        assertEquals("{yyyy}/{n:6}", get("compat/invoice").get("format").textValue());
        assertEquals("gapless", get("compat/invoice").get("guarantee").textValue());
        assertEquals("year", get("compat/yearly").get("resetEvery").textValue());
        assertEquals("Europe/Berlin", get("compat/yearly").get("timeZone").textValue());
        assertEquals(-7, get("compat/down").get("increment").intValue());
        assertEquals(10, get("compat/blocks").get("cacheSize").intValue());
        assertEquals("{scope}-{n:3}", get("~/compat").get("format").textValue());
        assertTrue(get("compat/retired/state").hasNonNull("retiredAt"));
        List<String> listed =
                client.get("/api/sequences?scope=compat").expect(200).body().findValuesAsText("name");
        assertTrue(
                listed.containsAll(List.of("blocks", "down", "invoice", "retired", "unused", "upload", "yearly")),
                listed::toString);
    }

    @Test
    void numbersContinueAfterTheLastOne() {
        assertEquals(
                List.of("2026/001044"),
                texts(client.next("compat/invoice", "?date=2026-04-01", "new")
                        .expect(200)
                        .body()));
        assertEquals(
                2,
                client.next("compat/yearly", "?date=2025-07-01", "new")
                        .expect(200)
                        .first());
        assertEquals(-11, client.next("compat/down", "", "new").expect(200).first());
        assertEquals(11, client.next("compat/blocks").expect(200).first());
        client.next("compat/retired", "", "new").expectProblem(410, "retired");
        assertEquals(100, client.next("compat/unused").expect(200).first());
    }

    @Test
    void theLedgerAccountsForEveryNumberAndTextsAreParsed() {
        JsonNode entries = get("compat/invoice/ledger?to=1043").get("entries");
        assertEquals(
                List.of(
                        "allocation 1 1",
                        "allocation 2 4",
                        "advance 5 1041",
                        "allocation 1042 1042",
                        "allocation 1043 1043"),
                StreamSupport.stream(entries.spliterator(), false)
                        .map(entry ->
                                entry.get("kind").textValue() + " " + entry.get("first") + " " + entry.get("last"))
                        .toList());
        assertEquals(
                "INV-0003",
                get("compat/invoice/ledger?key=b")
                        .get("entries")
                        .get(0)
                        .get("texts")
                        .get(1)
                        .textValue());
        assertEquals(3, parsed("compat/invoice", "INV-0003"));
        assertEquals(1043, parsed("compat/invoice", "2026/001043"));
    }

    @Test
    void statusesOfAnEarlierBuildHold() {
        JsonNode entries = get("compat/said/ledger").get("entries");
        assertEquals(List.of("reserved", "void"), entries.findValuesAsText("status"));
        assertEquals("printed twice", entries.get(2).get("reason").textValue());
        assertReplayed("compat/said", "?date=2026-03-02", "kept", 2, "S-002");
        client.next("compat/said", "", "spoilt").expectProblem(409, "key-void");
        String held = "{\"key\": \"held\", \"status\": \"issued\"}";
        client.send("POST", "/api/sequences/compat/said/status", held).expect(200);
        assertEquals(List.of("spoilt"), get("compat/said/ledger?status=void").findValuesAsText("key"));
        assertEquals(List.of(), get("compat/said/ledger?status=reserved").findValuesAsText("key"));
    }

    @Test
    void datesStayInOrderAndChangesAreListed() {
        client.next("compat/dated", "?date=2026-03-04", "late").expectProblem(409, "date-order");
        assertEquals("2026-03-05", get("compat/dated/state").get("lastDate").textValue());
        assertEquals(
                "written by hand",
                get("compat/dated/ledger").get("entries").get(1).get("reason").textValue());
        JsonNode changes = get("compat/dated/changes");
        assertEquals(List.of("created", "advanced", "changed"), changes.findValuesAsText("kind"));
        assertEquals(List.of("anna", "ben"), changes.findValuesAsText("actor"));
        assertEquals(
                "{\"field\":\"warnAtPercent\",\"before\":90,\"after\":80}",
                changes.at("/changes/2/fields/0").toString());
        assertReplayed("compat/dated", "?date=2026-03-01", "in order", 1);
        assertEquals(
                10,
                client.next("compat/dated", "?date=2026-03-05", "new")
                        .expect(200)
                        .first());
    }

    @Test
    void snowflakeIdsContinue() {
        assertEquals("snowflake", get("compat/flakes").get("guarantee").textValue());
        client.send("PATCH", "/api/sequences/compat/flakes", "{\"guarantee\": \"strict\"}", "If-Match", "*")
                .expectProblem(409, "immutable-field");
        JsonNode next = client.next("compat/flakes").expect(200).body();
        assertEquals(
                next.get("first").longValue(),
                parsed("compat/flakes", texts(next).get(0)));
    }

    @Test
    void uploadsAreReadBack() {
        SequenceName sequence = new SequenceName("compat", "upload");
        JsonNode csv = get("compat/upload/batches/"
                + Upload.Id.ofKey(sequence, Upload.Kind.BATCH, "list").id());
        assertEquals("numbered", csv.get("status").textValue());
        assertEquals(
                "ORD-000002", csv.get("allocations").get(1).get("texts").get(0).textValue());
        JsonNode json = get("compat/upload/batches/"
                + Upload.Id.ofKey(sequence, Upload.Kind.BATCH, "json").id());
        assertEquals("d", json.get("allocations").get(1).get("key").textValue());
    }

    @Test
    void importsOfAnEarlierBuildStay() {
        assertReplayed("compat/brought", "", "own", 1, "B-001");
        assertReplayed("compat/brought", "", "old-4", 4, "B-004");
        assertReplayed("compat/brought", "", "after", 6, "B-006");
        client.next("compat/brought", "", "old-5").expectProblem(409, "key-void");
        assertEquals(5, parsed("compat/brought", "B-005"));
        JsonNode entries = get("compat/brought/ledger?to=6").get("entries");
        assertEquals(
                List.of("allocation", "advance", "import", "import", "allocation"), entries.findValuesAsText("kind"));
        assertEquals("never sent", entries.get(3).get("reason").textValue());
        JsonNode changes = get("compat/brought/changes");
        assertEquals(List.of("created", "imported", "retired", "revived"), changes.findValuesAsText("kind"));
        assertEquals(List.of("anna"), changes.findValuesAsText("actor"));
        String id = Upload.Id.ofKey(new SequenceName("compat", "brought"), Upload.Kind.IMPORT, "old")
                .id();
        JsonNode imported = get("compat/brought/imports/" + id);
        assertEquals(List.of("imported", "imported"), imported.findValuesAsText("outcome"));
        assertEquals(7, client.next("compat/brought", "", "new").expect(200).first());
    }

    /** During a deployment, an instance of a newer version may add a column that this version must keep. */
    @Test
    void unknownColumnsSurviveWrites() {
        client.send("PUT", "/api/sequences/compat/later", "{\"format\": \"A{n}\"}", "If-None-Match", "*")
                .expect(201);
        client.next("compat/later").expect(200);
        TableClient counters = new TableClientBuilder()
                .connectionString(storage)
                .tableName(TableNames.COUNTERS)
                .buildClient();
        List<String> rows = List.of("definition", "counter");
        rows.forEach(row -> counters.updateEntity(
                new TableEntity("compat:later", row).addProperty("later", "kept"), TableEntityUpdateMode.MERGE));

        client.send("PUT", "/api/sequences/compat/later", "{\"format\": null}", "If-Match", "*")
                .expect(200);
        client.next("compat/later", "", "k").expect(200);
        client.send("DELETE", "/api/sequences/compat/later", "", "If-Match", "*")
                .expect(204);
        client.send("PUT", "/api/sequences/compat/later", "{}", "If-None-Match", "*")
                .expect(201);

        rows.forEach(row ->
                assertEquals("kept", counters.getEntity("compat:later", row).getProperty("later"), row));
        assertEquals(
                3,
                client.next("compat/later").expect(200).first(),
                "what was taken away by an empty text is gone: it is not retired");
        assertTrue(get("compat/later").path("format").isMissingNode());
    }
}
