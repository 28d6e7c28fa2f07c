package dev.numera.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.fixtures.HostProcess;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The tables and queues as their pages describe them, to programs that are not in Java: the tests of src/test/tables,
 * run by Node.
 */
class TablesIT {
    private static final Path HOME = Path.of("src", "test", "tables");

    @Test
    void anotherClientReadsAndWritesThemAsTheirPagesSay() throws Exception {
        if (Files.notExists(HOME.resolve("node_modules"))) {
            run(Map.of(), "npm", "ci", "--prefix", HOME.toString(), "--ignore-scripts", "--no-audit", "--no-fund");
        }
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            Map<String, String> environment =
                    Map.of("NUMERA_URL", host.baseUri().toString(), "NUMERA_STORAGE", azurite.connectionString());
            run(
                    environment,
                    "node",
                    "--test-reporter=spec",
                    HOME.resolve("tables.test.mjs").toString());
            run(
                    environment,
                    "node",
                    "--test-reporter=spec",
                    HOME.resolve("queues.test.mjs").toString());
        }
    }

    private static void run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder process = new ProcessBuilder(List.of(command)).redirectErrorStream(true);
        process.environment().putAll(environment);
        Process running = process.start();
        String output = new String(running.getInputStream().readAllBytes());
        assertEquals(0, running.waitFor(), output);
    }
}
