package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.Program;
import dev.numera.localhost.Azurite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs in another language read and write the tables and queues as their pages describe. Runs the Node tests in
 * src/test/tables.
 */
@Tag("long")
class TablesIT {
    private static final Path HOME = Path.of("src", "test", "tables");

    @Test
    void anotherClientReadsAndWritesThemAsTheirPagesSay() throws Exception {
        Program.installPackages(HOME);
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            Map<String, String> environment =
                    Map.of("NUMERA_URL", host.baseUri().toString(), "NUMERA_STORAGE", azurite.connectionString());
            for (String tests : List.of("tables.test.mjs", "queues.test.mjs")) {
                Program node = Program.run(
                        environment,
                        "node",
                        "--test-reporter=spec",
                        HOME.resolve(tests).toString());
                assertEquals(0, node.exit(), node.output());
            }
        }
    }
}
