package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.QueueTrigger;
import dev.numera.functions.Queues;
import dev.numera.json.Json;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The names and the encoding of the queues, which must agree in the code, in host.json, in the local host and on the
 * pages.
 */
class QueuesTest {
    private static final Path LOCAL_HOST = Path.of("src/localhost/java/dev/numera/localhost/NumeraHost.java");
    private static final Pattern QUEUE_NAME = Pattern.compile("\\bnumbering-[a-z-]*[a-z]");
    private static final Set<String> QUEUES = Set.of(Queues.REQUESTS, Queues.RESULTS, Queues.POISON);

    @Test
    void theHostLeavesTheMessagesAsTheyAre() throws IOException {
        assertEquals(Queues.MESSAGE_ENCODING, queues().get("messageEncoding").textValue());
        assertTrue(Files.readString(Path.of("docs/queue.md"))
                .contains("`\"messageEncoding\": \"" + Queues.MESSAGE_ENCODING + "\"`"));
    }

    @Test
    void theHostTriesForTenMinutesBeforeItPoisons() throws IOException {
        Duration between = Duration.between(
                LocalTime.MIDNIGHT,
                LocalTime.parse(queues().get("visibilityTimeout").textValue()));

        assertEquals(Duration.ofSeconds(30), between);
        assertEquals(
                Duration.ofMinutes(10),
                between.multipliedBy(queues().get("maxDequeueCount").intValue()));
    }

    /**
     * The code needs the host's numbers to compute a sequence's share of the slots and to recognize the last delivery.
     */
    @Test
    void theCodeCountsSlotsAndDeliveriesAsTheHostDoes() throws IOException {
        assertEquals(Queues.BATCH_SIZE, queues().get("batchSize").intValue());
        assertEquals(
                Queues.NEW_BATCH_THRESHOLD, queues().get("newBatchThreshold").intValue());
        assertEquals(Queues.MAX_DELIVERIES, queues().get("maxDequeueCount").intValue());
        assertEquals(8, Queues.SLOTS_FOR_EACH_SEQUENCE);
        assertTrue(
                Files.readString(Path.of("docs/queue.md")).contains("`\"batchSize\": 16`, `\"newBatchThreshold\": 8`"));
    }

    @Test
    void theTriggerListensToTheRequests() {
        Method entryPoint = Stream.of(NumberBatchFunction.class.getMethods())
                .filter(method -> method.isAnnotationPresent(FunctionName.class))
                .findFirst()
                .orElseThrow();
        QueueTrigger trigger = Arrays.stream(entryPoint.getParameters())
                .map(parameter -> parameter.getAnnotation(QueueTrigger.class))
                .filter(annotation -> annotation != null)
                .findFirst()
                .orElseThrow();

        assertEquals("NumberBatch", entryPoint.getAnnotation(FunctionName.class).value());
        assertEquals(Queues.REQUESTS, trigger.queueName());
        assertEquals("NumeraStorage", trigger.connection());
        assertEquals("", trigger.dataType(), "the text as it is");
    }

    @Test
    void thePagesNameTheQueuesAsTheCodeDoes() throws IOException {
        assertEquals(new TreeSet<>(QUEUES), queuesNamedIn(List.of(Path.of("docs/queue.md"))));
        assertTrue(QUEUES.containsAll(queuesNamedIn(pages())), () -> "not of these: " + QUEUES);
    }

    private static JsonNode queues() throws IOException {
        return Json.read(Files.readString(Path.of("host.json")))
                .get("extensions")
                .get("queues");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md"), LOCAL_HOST), docs.filter(page -> page.toString()
                            .endsWith(".md")))
                    .toList();
        }
    }

    private static Set<String> queuesNamedIn(List<Path> pages) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path page : pages) {
            Matcher name = QUEUE_NAME.matcher(Files.readString(page));
            while (name.find()) {
                names.add(name.group());
            }
        }
        return names;
    }
}
