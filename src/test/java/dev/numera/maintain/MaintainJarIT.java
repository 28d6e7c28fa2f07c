package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.maintain.prove.LyingServer;
import dev.numera.maintain.prove.LyingServer.Lie;
import dev.numera.sequences.TestSequences;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jar of a release with only a Java runtime, as an operator does. */
class MaintainJarIT {
    private static final Path JAR = Path.of("target", "numera-maintain.jar").toAbsolutePath();

    /**
     * The line that each single step of a recovery prints first, on the error stream, which these tests read as well.
     */
    private static final String HINT =
            "After a loss, the command recover does this step and all others of a recovery.\n";

    @TempDir
    Path folder;

    private record Said(int exitCode, String text) {}

    private Said run(String storage, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                "" + JAR));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("NumeraStorage", storage);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes());
        return new Said(process.waitFor(), text);
    }

    private static void number(String storage) {
        TestSequences.over(storage)
                .start()
                .allocator()
                .next(new SequenceName("shop", "order"), List.of(new NumberRequest(null, 1, null, false)))
                .results()
                .get(0)
                .orThrow();
    }

    @Test
    @Tag("long")
    void anOperatorBacksUpRestoresAndAdvances() throws Exception {
        String lost = SharedAzurite.emptyAccount();
        number(lost);
        Said exported = run(lost, "export", "numera.jsonl.gz");
        assertTrue(exported.text().matches("[1-9]\\d* rows exported to numera\\.jsonl\\.gz\\.\n"), exported::text);
        assertEquals(0, exported.exitCode());
        String storage = SharedAzurite.emptyAccount();
        Said restored = run(storage, "restore", "numera.jsonl.gz");
        assertEquals(0, restored.exitCode(), restored::text);
        assertTrue(restored.text().contains("Next: 1. Run advance MARGIN"), restored::text);
        Said forgotten = run(storage, "resume", "--all");
        assertEquals(3, forgotten.exitCode(), forgotten::text);
        assertTrue(
                forgotten.text().startsWith(HINT + "1 sequences stay suspended, because they were restored"),
                forgotten::text);
        assertEquals(new Said(0, HINT + "shop/order: from 2 to 102\n"), run(storage, "advance", "100"));

        Said again = run(storage, "restore", "numera.jsonl.gz");
        assertEquals(1, again.exitCode(), again::text);
        assertTrue(again.text().startsWith(HINT + "Failed: The table numeracounters is not empty:"), again::text);
    }

    @Test
    @Tag("long")
    void aDeploymentIsProvenAndTheExitCodeShowsIt() throws Exception {
        try (LyingServer honest = new LyingServer(Lie.NONE);
                LyingServer lying = new LyingServer(Lie.NUMBER_TWICE)) {
            Said proven = run("", "prove", honest.address(), "--numbers", "100");
            assertEquals(0, proven.exitCode(), proven::text);
            assertTrue(proven.text().startsWith("No promise was broken.\n"), proven::text);
            assertTrue(Files.readString(folder.resolve("history.html")).contains("\"format\":\"numera-history\""));

            Said violated = run("", "prove", lying.address(), "--numbers", "300");
            assertEquals(1, violated.exitCode(), violated::text);
            assertTrue(violated.text().contains("was allocated twice"), violated::text);
        }
        Said wrong = run("", "prove", "nowhere");
        assertEquals(new Said(2, "An address must look like https://HOST/api, without a query, not nowhere.\n"), wrong);
    }

    @Test
    void errorIsPrintedAsOneSentence() throws Exception {
        Said missing = run("UseDevelopmentStorage=true", "check", "nothing.jsonl.gz");
        assertEquals(
                new Said(1, "Failed: The file nothing.jsonl.gz does not exist, is a folder, or cannot be read.\n"),
                missing);
        Said unknown = run("", "frobnicate");
        assertEquals(2, unknown.exitCode());
        assertTrue(
                unknown.text().startsWith("Unknown command: frobnicate.\n\njava -jar numera-maintain.jar"),
                unknown::text);
    }
}
