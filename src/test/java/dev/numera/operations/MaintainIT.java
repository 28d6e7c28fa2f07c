package dev.numera.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.localhost.Azurite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup, a loss of all tables, and the runbook of docs/operations.md. */
class MaintainIT {
    private static final String[] CREATE = {"If-None-Match", "*"};

    @TempDir
    Path folder;

    private List<String> maintain(Azurite azurite, String... arguments) throws Exception {
        return Maintain.run(Map.of("NumeraStorage", azurite.connectionString()), arguments);
    }

    @Test
    void afterARestoreNothingIsHandedOutTwiceAndOldKeysKeepTheirNumbers() throws Exception {
        Path file = folder.resolve("numera.jsonl");
        try (Azurite lost = Azurite.inMemory(); HostProcess host = HostProcess.start(lost.connectionString(), Map.of())) {
            NumeraClient client = new NumeraClient(host.baseUri());
            client.send("PUT", "/api/sequences/shop/gapless", "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"format\":"
                    + " \"{yyyy}-{n}\"}", CREATE).expect(201);
            client.send("PUT", "/api/sequences/shop/retired", "{\"increment\": -1}", CREATE).expect(201);
            assertEquals(1, client.next("shop/gapless", "?date=2025-05-05", "early").expect(200).first());
            assertEquals(1, client.next("shop/gapless", "?count=3&date=2026-05-05", "early-too").expect(200).first());
            assertEquals(-1, client.next("shop/retired", "?count=5", null).expect(200).first());
            client.send("DELETE", "/api/sequences/shop/retired", null, "If-Match", "*").expect(204);
            client.next("shop/strict").expect(200);

            String exported = maintain(lost, "export", file.toString()).get(0);
            assertEquals(Files.readAllLines(file).size() + " rows exported to " + file + ".", exported);

            assertEquals(4, client.next("shop/gapless", "?date=2026-05-05", "after the backup").expect(200).first());
            assertEquals(2, client.next("shop/strict", "?count=500", null).expect(200).first());
        }
        try (Azurite fresh = Azurite.inMemory()) {
            maintain(fresh, "export", "", "import", file.toString());
            List<String> moved = maintain(fresh, "skip", "1000");
            assertEquals(List.of("shop/gapless 2025: from 2 to 1002", "shop/gapless 2026: from 4 to 1004", "shop/retired: from -6 to -1006",
                    "shop/strict: from 2 to 1002"), moved);
            try (HostProcess host = HostProcess.start(fresh.connectionString(), Map.of())) {
                NumeraClient client = new NumeraClient(host.baseUri());
                assertEquals(1, client.next("shop/gapless", "?count=3&date=2026-05-05", "early-too").expect(200).first());
                assertEquals(1004, client.next("shop/gapless", "?date=2026-05-05", "after the backup").expect(200).first());
                assertEquals(1002, client.next("shop/strict").expect(200).first());
                client.next("shop/retired").expectProblem(410, "retired");
                client.send("PUT", "/api/sequences/shop/retired", "{}", CREATE).expect(201);
                assertEquals(-1006, client.next("shop/retired").expect(200).first());
                assertTrue(client.get("/api/sequences/shop/gapless/ledger?date=2026-05-05").raw().body().contains("\"kind\":\"advance\""));
            }
        }
    }
}
