package dev.numera.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.Program;
import dev.numera.localhost.Azurite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of {@code docs/http.md} with a shell, from top to bottom, on a fresh app. */
@Tag("long")
@Timeout(600)
class HttpPageIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern COMMAND =
            Pattern.compile("(?ms)^```sh\\R(.*?)^```\\R(?:\\R|\\*\\*\\d.*?\\R)*(?:```json\\R(.*?)^```)?");
    private static final Pattern DATE_OR_TIME = Pattern.compile("\"\\d{4}-\\d{2}-\\d{2}(?:T[^\"]*)?\"");
    private static final String STATUS = "curl() { command curl -sS -w '\\n%{http_code}' \"$@\"; }\n";

    @TempDir
    private Path folder;

    @Test
    void commandsRunInOneGoAndGetTheAnswersOfThePage() throws IOException, InterruptedException {
        assumeTrue(Program.isOnPath("curl") && Program.isOnPath("bash"), "curl and bash");
        List<MatchResult> commands = COMMAND.matcher(Files.readString(Path.of("docs", "http.md")))
                .results()
                .toList();
        assertTrue(commands.size() > 25, () -> commands.size() + " commands");
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            for (MatchResult command : commands) {
                requireAnswer(host, command.group(1), command.group(2));
            }
        }
    }

    private void requireAnswer(HostProcess host, String command, String expected)
            throws IOException, InterruptedException {
        String output = Program.run(
                        "bash",
                        "-c",
                        "cd '" + folder + "'\n" + STATUS
                                + command.replace("http://127.0.0.1:7071/api", host.baseUri() + "/api"))
                .output();
        if (command.startsWith("while ")) {
            assertTrue(output.matches("(?s).*\"status\":\"(numbered|imported)\".*"), () -> command + output);
            return;
        }
        String status = output.substring(output.lastIndexOf('\n') + 1);
        // The queue assigns message ids, so the id on the page matches no message.
        assertTrue(
                command.contains("/poison/") ? status.equals("404") : status.startsWith("2"), () -> command + output);
        if (expected != null) {
            assertEquals(withoutTimes(expected), withoutTimes(output.substring(0, output.lastIndexOf('\n'))), command);
        }
    }

    private static JsonNode withoutTimes(String json) throws IOException {
        return JSON.readTree(DATE_OR_TIME.matcher(json).replaceAll("\"time\""));
    }
}
