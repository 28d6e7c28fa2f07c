package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.sas.QueueSasPermission;
import com.azure.storage.queue.sas.QueueServiceSasSignatureValues;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.Program;
import dev.numera.functions.Queues;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs Schemathesis, an independent checker that makes requests from the served {@code openapi.json} and judges the
 * answers. pip installs it into the build's folder. The test is skipped if Python is not installed.
 */
@Tag("long")
class SchemathesisIT {
    private static final Path HOME = Path.of("src", "test", "schemathesis").toAbsolutePath();
    private static final Path WORK = Path.of("target", "schemathesis").toAbsolutePath();
    private static final Path PYTHON = WORK.resolve("python");
    private static final String KEY = "secret";

    @Test
    void findsNoViolation() throws Exception {
        assumeTrue(Program.isOnPath("python3"), "Python is not installed, so Schemathesis cannot run");
        install();
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of(), Optional.of(KEY))) {
            Path report = WORK.resolve("report.txt");
            int exit = run(
                    report,
                    Map.of("NUMERA_POISON", poisonMessages(azurite)),
                    PYTHON.resolve("bin/schemathesis").toString(),
                    "--config-file",
                    HOME.resolve("schemathesis.toml").toString(),
                    "run",
                    host.baseUri() + "/api/openapi.json",
                    "-H",
                    "x-functions-key: " + KEY);
            String said = Files.readString(report);
            System.out.println(said);
            assertEquals(0, exit);
            assertTrue(said.contains("No issues found"), "it warns, see " + report);
            assertTrue(!host.output().contains("SEVERE"), host::output);
        }
    }

    /** Returns an address for adding poison messages, which no call of the app does. */
    private static String poisonMessages(Azurite azurite) {
        QueueClient poison = new QueueClientBuilder()
                .connectionString(azurite.connectionString())
                .queueName(Queues.POISON)
                .buildClient();
        poison.createIfNotExists();
        return poison.getQueueUrl() + "/messages?"
                + poison.generateSas(new QueueServiceSasSignatureValues(
                        OffsetDateTime.now().plusDays(1), new QueueSasPermission().setAddPermission(true)));
    }

    private static void install() throws IOException, InterruptedException {
        Files.createDirectories(WORK);
        Path log = WORK.resolve("install.txt");
        int exit = run(log, Map.of(), "python3", "-m", "venv", PYTHON.toString());
        exit += run(
                log,
                Map.of(),
                PYTHON.resolve("bin/pip").toString(),
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--requirement",
                HOME.resolve("requirements.txt").toString());
        assertEquals(0, exit, Files.readString(log));
    }

    private static int run(Path output, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder process = new ProcessBuilder(List.of(command))
                .directory(WORK.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        process.environment().putAll(environment);
        process.environment()
                .putAll(Map.of(
                        "SCHEMATHESIS_HOOKS",
                        HOME.resolve("hooks.py").toString(),
                        "NUMERA_KEY",
                        KEY,
                        "PYTHONDONTWRITEBYTECODE",
                        "1"));
        return process.start().waitFor();
    }
}
