package dev.numera.maintain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.StorageAccount;
import dev.numera.core.counter.PeerRequest;
import dev.numera.core.counter.PeerRequests;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterId;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.WriteResult;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import dev.numera.fixtures.TestClock;
import dev.numera.fixtures.TestLimits;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.RowResult;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadReader;
import dev.numera.sequences.lists.Uploads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup, the loss of all tables, and the runbook of docs/operations.md. */
@Tag("long")
class MaintainIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final TestLimits LIMITS = TestLimits.DEFAULT.withDeadline(Duration.ofMinutes(1));

    @TempDir
    Path folder;

    private List<String> maintain(String storage, String... arguments) throws Exception {
        return Maintain.run(settings(storage), TestClock.alone(Instant.now()), arguments);
    }

    /** Posts a peer request as an instance does that dies before the answer. */
    private static void take(String storage, CounterId counter) {
        PeerRequest take =
                new PeerRequest("process", "id", List.of(new NumberRequest(null, 1, null).on(LocalDate.EPOCH)));
        PeerRequests peers = TestAccount.at(storage).stores().peers();
        PeerRequest none = new PeerRequest(take.counterName(), "none", List.of());
        WriteResult.Won inserted = assertInstanceOf(WriteResult.Won.class, peers.post(counter, none.closed()));
        assertInstanceOf(WriteResult.Won.class, peers.post(counter, take.at(inserted.version())));
    }

    private static TableServiceClient tables(String storage) {
        return new TableServiceClientBuilder().connectionString(storage).buildClient();
    }

    private static TableEntity onlyMark(String storage) {
        List<TableEntity> marks = tables(storage)
                .getTableClient("numeracounters")
                .listEntities(
                        new ListEntitiesOptions().setFilter("RowKey ge 'mark:' and RowKey lt 'mark;'"), null, null)
                .stream()
                .toList();
        assertEquals(1, marks.size());
        return marks.get(0);
    }

    @Test
    void restoreAllocatesNothingTwiceAndKeepsOldKeys() throws Exception {
        Path file = folder.resolve("numera.jsonl.gz");
        int year = LocalDate.now(ZoneOffset.UTC).getYear();
        String early = "?date=" + (year - 1) + "-05-05";
        String late = "date=" + year + "-05-05";
        long event;
        String lost = SharedAzurite.emptyAccount();
        try (HostProcess host = HostProcess.start(lost, Map.of())) {
            NumeraClient client = new NumeraClient(host.baseUri());
            client.send(
                            "PUT",
                            "/api/sequences/shop/gapless",
                            "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"UTC\", \"format\":"
                                    + " \"{yyyy}-{n}\"}",
                            CREATE)
                    .expect(201);
            client.send("PUT", "/api/sequences/shop/retired", "{\"increment\": -1}", CREATE)
                    .expect(201);
            assertEquals(
                    1, client.next("shop/gapless", early, "early").expect(200).first());
            assertEquals(
                    1,
                    client.next("shop/gapless", "?count=3&" + late, "early-too")
                            .expect(200)
                            .first());
            assertEquals(
                    -1,
                    client.next("shop/retired", "?count=5", null).expect(200).first());
            client.send("DELETE", "/api/sequences/shop/retired", null, "If-Match", "*")
                    .expect(204);
            client.next("shop/strict").expect(200);
            client.send("PUT", "/api/sequences/shop/event", "{\"guarantee\": \"snowflake\"}", CREATE)
                    .expect(201);
            event = client.next("shop/event", "?count=256", null).expect(200).first() + 255;

            client.next("shop/gapless", "?reserve=true&" + early.substring(1), "held")
                    .expect(200);
            // A backup made while a status is written can lack the mark.
            tables(lost).getTableClient("numeracounters").deleteEntity(onlyMark(lost));
            take(lost, new CounterId(new SequenceName("shop", "strict"), ""));
            String exported = maintain(lost, "export", file.toString()).get(0);
            String lines = String.join("\n", BackupLines.of(file));
            assertFalse(lines.contains("peer:"), "Put back, it would be answered once more.");
            assertFalse(lines.contains("~workers"), "Put back, it would name who is gone.");
            assertTrue(
                    lines.lastIndexOf("\"number:") < lines.indexOf("\"key:"),
                    "A number that is allocated meanwhile would be in it without its key.");
            assertEquals(BackupLines.rowsOf(file).size() + " rows exported to " + file + ".", exported);

            assertEquals(
                    4,
                    client.next("shop/gapless", "?" + late, "after the backup")
                            .expect(200)
                            .first());
            assertEquals(
                    2,
                    client.next("shop/strict", "?count=500", null).expect(200).first());
        }
        String fresh = SharedAzurite.emptyAccount();
        maintain(fresh, "restore", file.toString());
        List<String> moved = maintain(fresh, "advance", "1000");
        assertEquals(
                List.of(
                        "shop/gapless " + (year - 1) + ": from 3 to 1003",
                        "shop/gapless " + year + ": from 4 to 1004",
                        "shop/retired: from -6 to -1006",
                        "shop/strict: from 2 to 1002"),
                moved);
        maintain(fresh, "resume", "--all");
        try (HostProcess host = HostProcess.start(fresh, Map.of())) {
            NumeraClient client = new NumeraClient(host.baseUri());
            assertEquals(
                    1,
                    client.next("shop/gapless", "?count=3&" + late, "early-too")
                            .expect(200)
                            .first());
            assertEquals(
                    1004,
                    client.next("shop/gapless", "?" + late, "after the backup")
                            .expect(200)
                            .first());
            assertEquals(1002, client.next("shop/strict").expect(200).first());
            assertTrue(client.next("shop/event").expect(200).first() > event);
            String path = "/api/sequences/shop/gapless/";
            assertTrue(client.get(path + "ledger?status=reserved").raw().body().contains("\"held\""));
            client.send("POST", path + "status", "{\"key\": \"held\", \"status\": \"issued\"}")
                    .expect(200);
            client.next("shop/retired").expectProblem(410, "retired");
            client.send("PUT", "/api/sequences/shop/retired", "{}", CREATE).expect(201);
            assertEquals(-1006, client.next("shop/retired").expect(200).first());
            assertTrue(client.get("/api/sequences/shop/gapless/ledger?" + late)
                    .raw()
                    .body()
                    .contains("\"kind\":\"advance\""));
        }
    }

    /**
     * The partition has more rows, and more bytes, than one transaction takes. Each unit of the texts takes three
     * bytes, or six in a request.
     */
    @Test
    void manyAndLongRowsComeBackAsTheyWereAndAreNotPutOverOthers() throws Exception {
        Path file = folder.resolve("long.jsonl.gz");
        Path again = folder.resolve("again.jsonl.gz");
        Upload.Id id = Upload.Id.ofKey(new SequenceName("shop", "long"), Upload.Kind.BATCH, "list");
        List<List<String>> rows = IntStream.range(0, 240)
                .mapToObj(i -> List.of("order-" + i, (i % 2 == 0 ? "数" : "\uD83D\uDE00").repeat(10_000)))
                .toList();
        String full = SharedAzurite.emptyAccount();
        String fresh = SharedAzurite.emptyAccount();
        StorageAccount account = TestAccount.withTables(full);
        Sequences sequences =
                TestSequences.over(account).with(AutoCreate.NEVER).with(LIMITS).start();
        sequences
                .editor()
                .put(
                        id.sequence(),
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.GUARANTEE, Guarantee.GAPLESS)
                                .with(DefinitionField.FORMAT, "{n:6}-" + "text".repeat(36)),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        number(uploads(account, sequences), id, rows);

        maintain(full, "export", file.toString());
        maintain(fresh, "restore", file.toString());
        maintain(fresh, "export", again.toString());

        List<String> lines = BackupLines.rowsOf(file);
        assertTrue(
                lines.get(0).contains("\"rowKey\":\"upload\""),
                "Read after the ledger, it could show numbers that the copy of the ledger lacks.");
        assertTrue(lines.stream().filter(line -> line.contains("\"shop:long\"")).count() > 240, "the ledger");
        long bytes = lines.stream()
                .filter(line -> line.contains("\"shop:long:" + id.id()))
                .mapToLong(line -> line.getBytes(UTF_8).length)
                .sum();
        assertTrue(bytes > 2 * 4 * 1024 * 1024, () -> "an upload of only " + bytes + " bytes");
        assertNotEquals(lines, BackupLines.rowsOf(again));
        assertEquals(lines, withoutMaintenance(BackupLines.rowsOf(again)));
        StorageAccount there = TestAccount.at(fresh);
        Upload restored = uploads(there, sequences).get(id);
        assertEquals(
                rows,
                new UploadReader(there.uploads(), sequences.ledger())
                        .all(restored)
                        .map(RowResult::requested)
                        .toList());

        String refused = assertThrows(IllegalStateException.class, () -> maintain(fresh, "restore", file.toString()))
                .getMessage();
        assertTrue(
                refused.matches(
                        "The table numeracounters is not empty: its first row is .* of .*[.] Restore into an account without "
                                + "numeracounters and numerabatches, or delete these two tables .*"),
                refused);

        maintain(fresh, "restore", file.toString(), "--over-rows");
        Files.delete(again);
        maintain(fresh, "export", again.toString());
        assertEquals(lines, withoutMaintenance(BackupLines.rowsOf(again)));
    }

    /** Removes the columns that a restore adds to the definition and the counter. */
    private static List<String> withoutMaintenance(List<String> rows) {
        return rows.stream()
                .map(row -> row.replaceFirst("\"maintenanceAt\":\"[^\"]+\"", "\"maintenanceAt\":\"\"")
                        .replace("\"needs\":4,", "\"needs\":1,")
                        .replaceFirst("\"restoredFrom\":\\{\"int64\":\"\\d+\"\\},", ""))
                .toList();
    }

    private static Uploads uploads(StorageAccount account, Sequences sequences) {
        return new Uploads(
                account.uploads(),
                new ListWork(sequences.allocator(), sequences.imports()),
                new OldUploads(account.uploads(), InstantSource.system(), Duration.ofDays(30)),
                InstantSource.system());
    }

    private static void number(Uploads uploads, Upload.Id id, List<List<String>> rows) {
        uploads.accept(
                id,
                "fingerprint",
                () -> new Upload.Content(
                        new ListColumns(List.of("key", "note"), Map.of(ListColumns.Field.KEY, 0)), rows),
                null);
        OptionalInt next = OptionalInt.of(1);
        while (next.isPresent()) {
            next = uploads.work(id, next.getAsInt());
        }
    }

    private static Map<String, String> settings(String storage) {
        return Map.of("NumeraStorage", storage);
    }
}
