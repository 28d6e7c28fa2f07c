package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.localhost.Azurite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A list of many parts, on the packaged app and a real Azurite. */
class LongUploadIT {
    /**
     * Fewer rows than an upload may have, because Azurite slows down with every row of a table: 50,000 took five
     * minutes on a busy machine.
     */
    private static final int ROWS = 20_000;

    /**
     * Longer limits, because Azurite is slow with so many rows, and an early timeout would prove nothing about the
     * list.
     */
    private static final Map<String, String> PATIENT =
            Map.of("Numera_StorageTimeoutMillis", "30000", "Numera_DeadlineMillis", "100000");

    private final Azurite azurite = Azurite.inMemory();
    private final HostProcess host = HostProcess.start(azurite.connectionString(), PATIENT);
    private final NumeraClient client = new NumeraClient(host.baseUri());

    @AfterEach
    void close() {
        host.close();
        azurite.close();
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void aLongFileIsNumberedWithoutAGapInItsOrder() {
        client.send(
                        "PUT",
                        "/api/sequences/Files/long",
                        "{\"guarantee\": \"gapless\", \"format\": \"L-{n:6}\"}",
                        "If-None-Match",
                        "*")
                .expect(201);
        List<String> rows = IntStream.rangeClosed(1, ROWS)
                .mapToObj(i -> "order-" + i + ",\"Müller, no. " + i % 97 + "\"")
                .toList();

        Reply accepted = client.send(
                        "POST",
                        "/api/sequences/Files/long/batches",
                        "order,customer\r\n" + String.join("\r\n", rows),
                        "Content-Type",
                        "text/csv; charset=utf-8")
                .expect(202);
        String location = accepted.location();
        Reply done = client.awaitUpload(location + "?limit=1", Duration.ofMinutes(10), host::output);
        assertEquals("numbered", done.body().get("status").textValue());

        String csv = client.send("GET", location, null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body();
        String[] lines = csv.split("\r\n");
        assertEquals(ROWS + 1, lines.length);
        assertEquals("order,customer,number,text,problem,stored_date", lines[0]);
        for (int i = 1; i <= ROWS; i++) {
            assertEquals(rows.get(i - 1) + "," + i + ",L-%06d,,".formatted(i), lines[i]);
        }
        assertTrue(csv.endsWith("\r\n"), "every line ends");
        assertEquals(
                ROWS + 1, client.next("Files/long", "", "after").expect(200).first());
    }
}
