package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The table of calls in {@code docs/clients.md}. Each of its rows becomes scenes: the call is retried, each stated
 * failure is thrown, and a wrong parameter is refused before anything is sent.
 */
final class ClientTable {
    private static final Pattern SIGNATURE = Pattern.compile("`(\\w+)\\(([^)]*)\\)`");
    private static final Pattern THROWN = Pattern.compile("`(\\w+)`");
    private static final int LANGUAGES = 4;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The name and the parameters of a call in a language. */
    record Signature(String name, List<String> parameters) {
        static Signature of(String cell) {
            Matcher signature = SIGNATURE.matcher(cell);
            assertTrue(signature.find(), cell);
            return new Signature(signature.group(1), List.of(signature.group(2).split(", ")));
        }
    }

    /**
     * The row of a call.
     *
     * @param signatures for JavaScript, Python, Go and Java
     * @param retry the answer to a retry
     * @param thrown the failures, as named in Go
     */
    record CallRow(List<Signature> signatures, String retry, Set<String> thrown) {
        static CallRow of(String line) {
            List<String> cells = List.of(line.substring(1).split("\\|"));
            assertEquals(LANGUAGES + 3, cells.size(), line);
            Set<String> thrown = new TreeSet<>();
            THROWN.matcher(cells.get(LANGUAGES + 2)).results().forEach(name -> thrown.add(name.group(1)));
            return new CallRow(
                    cells.subList(0, LANGUAGES).stream().map(Signature::of).toList(),
                    cells.get(LANGUAGES + 1).strip(),
                    thrown);
        }

        /** Returns the name of the call in the scenes. */
        String call() {
            return signatures.get(0).name();
        }
    }

    private ClientTable() {}

    static List<CallRow> rows() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("docs", "clients.md"))) {
            return lines.filter(line -> line.startsWith("| `")).map(CallRow::of).toList();
        }
    }

    /** Adds the scenes of the table. Each is made from the first successful scene of its call. */
    static ArrayNode withScenes(JsonNode scenes) throws IOException {
        ArrayNode all = JSON.createArrayNode();
        scenes.forEach(all::add);
        for (CallRow row : rows()) {
            JsonNode success = StreamSupport.stream(scenes.spliterator(), false)
                    .filter(scene -> scene.has("result"))
                    .filter(scene -> scene.at("/call/0").asText().equals(row.call()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No scene in which " + row.call() + " succeeds"));
            all.add(retried(row, success));
            all.add(invalid(row, success));
            row.thrown().stream()
                    .filter(failure -> !failure.equals("Difference"))
                    .forEach(failure -> all.add(failing(row, success, failure)));
        }
        return all;
    }

    /** Lets a gateway fail once, and answer by itself once, before the call succeeds. */
    private static ObjectNode retried(CallRow row, JsonNode success) {
        boolean isRetriedAlready = success.at("/answers/0").has("fault");
        JsonNode first = success.at("/calls/0");
        requiresWhatTheTableStates(row.retry(), first, row.call());
        return scene(row, success, "is retried", scene -> {
            ObjectNode ownAnswer = JSON.createObjectNode().put("status", 200);
            ownAnswer.putObject("body").put("status", "ok");
            ArrayNode answers = JSON.createArrayNode()
                    .add(JSON.createObjectNode().put("status", 502))
                    .add(ownAnswer);
            ArrayNode waits = JSON.createArrayNode()
                    .add(JSON.createArrayNode().add(0.5).add(1))
                    .add(JSON.createArrayNode().add(1).add(2));
            ArrayNode retries = JSON.createArrayNode()
                    .add(JSON.createArrayNode().add(1).add(502))
                    .add(JSON.createArrayNode().add(2).add("lost"));
            int skipped = isRetriedAlready ? 1 : 0;
            after(skipped, success.get("answers")).forEach(answers::add);
            after(skipped, success.get("waits")).forEach(waits::add);
            after(skipped, success.path("retries")).forEach(retries::add);
            ((ObjectNode) scene.at("/calls/0")).put("times", 3);
            scene.set("answers", answers);
            scene.set("waits", waits);
            scene.set("retries", retries);
            if (scene.at("/result/attempts").isInt()) {
                ((ObjectNode) scene.get("result")).put("attempts", 3);
            }
        });
    }

    /** Names a sequence without its scope, or searches for an empty text. */
    private static ObjectNode invalid(CallRow row, JsonNode success) {
        return scene(row, success, "refuses a wrong parameter", scene -> {
            ((ArrayNode) scene.get("call")).set(1, row.call().equals("find") ? "" : "invoice");
            scene.remove(List.of("result", "retries"));
            scene.put("invalid", true).putArray("answers");
            scene.putArray("calls");
            scene.putArray("waits");
        });
    }

    /** Lets the service refuse the call, or a gateway fail in the last second of the call's own time. */
    private static ObjectNode failing(CallRow row, JsonNode success, String failure) {
        return scene(row, success, "throws " + failure, scene -> {
            scene.remove(List.of("result", "retries"));
            ObjectNode answer = JSON.createObjectNode();
            switch (failure) {
                case "Problem" -> {
                    answer.put("status", 403).put("problem", "rights-missing");
                    scene.putObject("problem").put("status", 403).put("kind", "rights-missing");
                }
                case "Unavailable" -> {
                    answer.put("status", 502);
                    options((ArrayNode) scene.get("call")).put("tryForSeconds", 0.9);
                    scene.putObject("unavailable").put("attempts", 1).put("status", 502);
                }
                default -> throw new AssertionError(row.call() + " throws an unknown " + failure);
            }
            ObjectNode call = ((ObjectNode) scene.at("/calls/0")).put("times", 1);
            scene.putArray("answers").add(answer);
            scene.putArray("calls").add(call);
            scene.putArray("waits");
        });
    }

    private static ObjectNode scene(CallRow row, JsonNode success, String what, Consumer<ObjectNode> change) {
        ObjectNode scene = success.deepCopy();
        change.accept(scene);
        return scene.put("scene", row.call() + " " + what);
    }

    /** Checks that the repeated request contains a key, or changes nothing, as the table states. */
    private static void requiresWhatTheTableStates(String retry, JsonNode request, String call) {
        boolean hasKey = request.at("/headers/Idempotency-Key").isTextual()
                || request.at("/body/key").isTextual()
                || request.at("/body/id").isTextual();
        boolean isRead = request.get("method").asText().equals("GET")
                || request.get("path").asText().endsWith("/parse");
        String expected = hasKey ? "the same numbers" : isRead ? "a fresh answer" : "other numbers";
        // define reads first, and creates only a missing sequence.
        assertEquals(call.equals("define") ? "the same definition" : expected, retry, call);
    }

    private static List<JsonNode> after(int skipped, JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).skip(skipped).toList();
    }

    /** Returns the options of a call: its last parameter, which may be missing. */
    private static ObjectNode options(ArrayNode call) {
        JsonNode last = call.get(call.size() - 1);
        boolean isDefinition = call.get(0).asText().equals("define") && call.size() == 3;
        return last instanceof ObjectNode options && !isDefinition ? options : call.addObject();
    }
}
