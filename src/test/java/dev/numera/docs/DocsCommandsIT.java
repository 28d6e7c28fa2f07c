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
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the commands of a page in a shell, from its top to its end, on a fresh app, and compares the answers shown. */
@Tag("long")
@Timeout(600)
class DocsCommandsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path README = Path.of("README.md");
    private static final Pattern COMMAND = Pattern.compile("(?ms)^```sh\\R(.*?)^```\\R\\R?(?:```json\\R(.*?)^```)?");
    private static final Pattern COMMAND_OF_THE_API = Pattern.compile(
            "(?s)<pre class=\"sh\">(.*?)</pre>\n(?:<p><b>\\d.*?</p>\n)*(?:<pre class=\"json\">(.*?)</pre>)?");
    private static final Pattern DATE_OR_TIME = Pattern.compile("\"\\d{4}-\\d{2}-\\d{2}(?:T[^\"]*)?\"");
    private static final Pattern YEAR = Pattern.compile("(?<=[\"-])20\\d{2}(?=[\"-])");
    private static final String STATUS = "curl() { command curl -sS -w '\\n%{http_code}' \"$@\"; }\n";

    /**
     * Prints the status and the address of each call. Replaces ID in an address by the last id that an answer gave, and
     * then waits until the upload is done, as a reader does.
     */
    private static final String STATUS_OF_EACH =
            """
            touch id
            curl() {
              for i in {1..100}; do
                answer=$(command curl -sS -D headers -o body -w '%{http_code} %{url}' "${@//\\/ID//$(cat id)}")
                [[ "$*" = */ID* && $answer = 202* ]] || break
                sleep 0.2
              done
              echo "$answer"
              location=$(grep -i '^location: .*/\\(batches\\|imports\\)/' headers | tr -d '\\r')
              [ -z "$location" ] || printf '%s' "${location##*/}" > id
            }
            """;

    @TempDir
    private Path folder;

    /** Runs the commands of the README before those of a page, as its reader does. */
    @ParameterizedTest
    @CsvSource({"README.md, 2", "docs/first-hour.md, 12", "docs/http.md, 8", "docs/formats.md, 6"})
    void commandsOfAPageRunAfterThoseOfTheReadme(Path page, int commands) throws IOException, InterruptedException {
        List<MatchResult> found = commands(COMMAND, page);
        assertTrue(found.size() >= commands, () -> found.size() + " commands in " + page);
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            for (MatchResult command : commands(COMMAND, README)) {
                requireAnswer(host, command.group(1), command.group(2));
            }
            if (!page.equals(README)) {
                for (MatchResult command : found) {
                    requireAnswer(host, command.group(1), command.group(2));
                }
            }
        }
    }

    /** Runs all calls of a page in one shell, because later commands use variables and files of earlier ones. */
    @ParameterizedTest
    @CsvSource({"docs/import.md, 6", "docs/ledger.md, 13", "docs/queue.md, 2", "docs/rights.md, 1"})
    void everyCallOfAPageIsAccepted(Path page, int calls) throws IOException, InterruptedException {
        List<MatchResult> found = new ArrayList<>(commands(COMMAND, README));
        int ofReadme = found.size();
        found.addAll(commands(COMMAND, page));
        String script = found.stream()
                .map(command -> command.group(1))
                .filter(command -> !command.contains("az ") && !command.startsWith("node "))
                .collect(Collectors.joining())
                .replace("2026", "" + LocalDate.now(ZoneOffset.UTC).getYear());
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            List<String> answers = Program.run(
                            "bash",
                            "-c",
                            "cd '" + folder + "'\n" + STATUS_OF_EACH
                                    + script.replace("http://127.0.0.1:7071/api", host.baseUri() + "/api"))
                    .output()
                    .lines()
                    .toList();
            assertTrue(answers.size() >= calls + ofReadme, answers::toString);
            assertTrue(answers.stream().allMatch(answer -> answer.startsWith("20")), () -> String.join("\n", answers));
        }
    }

    @Test
    void examplesOfTheApiPageRunInOneGoAndGetTheAnswersOfThePage() throws IOException, InterruptedException {
        List<MatchResult> commands =
                commands(COMMAND_OF_THE_API, Path.of("src/main/resources/dev/numera/functions/docs.html"));
        assertTrue(commands.size() > 25, () -> commands.size() + " commands");
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            for (MatchResult command : commands) {
                requireAnswer(host, plain(command.group(1)), command.group(2) == null ? null : plain(command.group(2)));
            }
        }
    }

    private static String plain(String html) {
        return html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    /** Finds the commands that call the app. Those that start it have tests of their own. */
    private static List<MatchResult> commands(Pattern pattern, Path page) throws IOException {
        assumeTrue(Program.isOnPath("curl") && Program.isOnPath("bash"), "curl and bash");
        return pattern.matcher(Files.readString(page))
                .results()
                .filter(command -> !command.group(1).startsWith("mvn "))
                .toList();
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
        JsonNode shown = expected == null ? JSON.createObjectNode() : withoutTimes(expected);
        if (command.contains("/poison/")) {
            // The queue makes the id of a message: no message has the id of the page.
            assertEquals("404", status, () -> command + output);
        } else if (shown.path("type").asText().startsWith("urn:problem-type:")) {
            assertEquals(shown.get("status").asText(), status, () -> command + output);
        } else {
            assertTrue(status.startsWith("2"), () -> command + output);
        }
        if (expected != null) {
            assertEquals(shown, withoutTimes(output.substring(0, output.lastIndexOf('\n'))), command);
        }
    }

    private static JsonNode withoutTimes(String json) throws IOException {
        return JSON.readTree(
                YEAR.matcher(DATE_OR_TIME.matcher(json).replaceAll("\"time\"")).replaceAll("year"));
    }
}
