package dev.numera.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.core.model.Guarantee;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes the requests of each run to the stores, as a hash, to the file of {@code -Dsimulation.traces}: a line
 * {@code guarantee seed hash} for each of 2,000 seeds, or of as many as {@code -Dsimulation.runs} says. A change that
 * must not alter requests or their times leaves the file unchanged.
 */
@EnabledIfSystemProperty(named = "simulation.traces", matches = ".+")
class TracesTest {
    private static final long RUNS = Long.getLong("simulation.runs", 2_000);

    @Test
    void theHashesAreWritten() throws IOException {
        List<String> lines = Seeds.COUNTED.stream().flatMap(TracesTest::lines).toList();
        Files.write(Path.of(System.getProperty("simulation.traces")), lines);
    }

    private static Stream<String> lines(Guarantee guarantee) {
        return LongStream.rangeClosed(1, RUNS)
                .parallel()
                .mapToObj(seed -> guarantee + " " + seed + " " + hash(Seeds.requests(seed, guarantee)))
                .toList()
                .stream();
    }

    private static String hash(List<String> lines) {
        try {
            byte[] text = String.join("\n", lines).getBytes(UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
