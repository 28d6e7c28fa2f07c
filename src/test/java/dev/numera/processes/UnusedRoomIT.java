package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.functions.App;
import dev.numera.sequences.Sequences;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance that allocates no snowflake ids and makes no backups loads none of their classes at a cold start, except
 * the interface of the leases' store. A request for a number does not read the console either.
 */
@Tag("long")
class UnusedRoomIT {
    private static final List<String> UNUSED = List.of(
            "dev.numera.core.snowflake.",
            "dev.numera.azure.TableWorkerStore",
            "dev.numera.azure.backup.",
            "dev.numera.functions.BackupFunction",
            "dev.numera.azure.MarkBlobs",
            "com.azure.storage.blob.");

    @Test
    void noClassOfSnowflakeIdsOrBackupsIsLoadedForOtherNumbers() throws Exception {
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
                .filter(line -> line.contains(" dev.numera.") || line.contains(" com.azure.storage.blob."))
                .toList();
        assertEquals(0, process.waitFor());
        assertTrue(
                loaded.stream().anyMatch(line -> line.contains("dev.numera.sequences.numbering.SnowflakeIds ")),
                loaded::toString);
        Stream<String> unused = loaded.stream()
                .filter(line -> UNUSED.stream().anyMatch(line::contains))
                .filter(line -> !line.contains("dev.numera.core.snowflake.WorkerStore "));
        assertEquals(List.of(), unused.toList());
    }

    /** The host loads the class of each function, but the app reads the console's files only when a user opens it. */
    @Test
    void numberRequestReadsNothingOfTheConsole(@TempDir Path folder) throws IOException {
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
            return lines.filter(line -> line.contains("dev.numera.functions.http.ConsoleFiles"))
                    .count();
        }
    }

    /** Runs a process that allocates one number without a key and one with a key. */
    public static void main(String... arguments) {
        Sequences sequences =
                new App(Map.of("NumeraStorage", arguments[0], "Numera_BackupSchedule", "0 0 2 * * *")).sequences();
        SequenceName name = new SequenceName("unused", "strict");
        sequences
                .allocator()
                .next(name, List.of(new NumberRequest(null, 1, null)))
                .results()
                .get(0)
                .orThrow();
        sequences
                .allocator()
                .next(name, List.of(new NumberRequest("key", 1, null)))
                .results()
                .get(0)
                .orThrow();
    }
}
