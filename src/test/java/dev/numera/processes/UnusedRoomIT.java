package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.counter.Backoff;
import dev.numera.counter.CounterLimits;
import dev.numera.counter.SequenceName;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.sequence.Ask;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.SequenceLimits;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever asks for no snowflake id pays nothing for them at a cold start: not a class of theirs is loaded, but the
 * interface of their store. Nor does who asks for a number pay for the console.
 */
class UnusedRoomIT {
    private static final CounterLimits LIMITS = new CounterLimits(
            50,
            Duration.ofSeconds(10),
            new Backoff.FullJitter(Duration.ofMillis(4), Duration.ofMillis(64)),
            Duration.ofSeconds(2),
            128);

    @Test
    void noClassOfSnowflakeIdsIsLoadedForOtherNumbers() throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        UnusedRoomIT.class.getName(),
                        SharedAzurite.connectionString())
                .redirectErrorStream(true)
                .start();
        List<String> loaded = process.inputReader()
                .lines()
                .filter(line -> line.contains(" dev.numera."))
                .toList();
        assertEquals(0, process.waitFor());
        assertTrue(
                loaded.stream().anyMatch(line -> line.contains("dev.numera.sequence.SnowflakeIds ")), loaded::toString);
        Stream<String> unused = loaded.stream()
                .filter(line -> line.contains("dev.numera.snowflake.") || line.contains("TableWorkerStore"))
                .filter(line -> !line.contains("dev.numera.snowflake.WorkerStore "));
        assertEquals(List.of(), unused.toList());
    }

    /** The host knows the class of each function; what the console serves is read when somebody opens it. */
    @Test
    void nothingOfTheConsoleIsReadForNumbers(@TempDir Path folder) throws IOException {
        Path loaded = folder.resolve("loaded");
        Map<String, String> logging = Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + loaded);
        try (HostProcess host = HostProcess.start(SharedAzurite.connectionString(), logging)) {
            NumeraClient client = new NumeraClient(host.baseUri());
            client.next("unused/console", "", "key").expect(200);
            assertEquals(0, ofTheConsole(loaded));
            client.get("/api/console").expect(200);
            assertTrue(ofTheConsole(loaded) > 0);
        }
    }

    private static long ofTheConsole(Path loaded) throws IOException {
        try (Stream<String> lines = Files.lines(loaded)) {
            return lines.filter(line -> line.contains("dev.numera.functions.ConsoleFiles"))
                    .count();
        }
    }

    /** A process that gives a number without a key, and one with. */
    public static void main(String... arguments) {
        StorageAccount account =
                new StorageAccount(new StorageConnection.ConnectionString(arguments[0]), Duration.ofSeconds(10));
        account.createTables();
        Sequences sequences =
                Sequences.over(account.stores(), AutoCreate.ALWAYS, new SequenceLimits(LIMITS, 10_000, 400));
        SequenceName name = new SequenceName("unused", "strict");
        sequences
                .numbering()
                .next(name, List.of(new Ask(null, 1, null)))
                .answers()
                .get(0)
                .orThrow();
        sequences
                .numbering()
                .next(name, List.of(new Ask("key", 1, null)))
                .answers()
                .get(0)
                .orThrow();
    }
}
