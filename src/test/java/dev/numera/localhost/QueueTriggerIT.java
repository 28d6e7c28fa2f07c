package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import dev.numera.fixtures.SharedAzurite;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The host's handling of queue messages on a real queue, with one test for each fact of the Functions host. */
@Timeout(600)
class QueueTriggerIT {
    private static final String ENCODING = "AzureFunctionsJobHost__extensions__queues__messageEncoding";
    private static final String MAX_DEQUEUE_COUNT = "AzureFunctionsJobHost__extensions__queues__maxDequeueCount";

    @TempDir
    private Path folder;

    private String queueName;
    private QueueClient queue;
    private QueueClient poison;
    private HostLog log;
    private LocalHost host;

    @BeforeEach
    void makeQueue() {
        log = new HostLog();
        queueName = "q-" + UUID.randomUUID();
        queue = queue(queueName);
        queue.createIfNotExists();
        poison = queue(queueName + "-poison");
    }

    @AfterEach
    void stop() {
        if (host != null) {
            host.close();
        }
        log.close();
    }

    @Test
    void aMessageIsDeliveredWithItsMetadataAndDeleted() throws Exception {
        host = start(Map.of(ENCODING, "none"));
        String id = queue.sendMessage("hello").getMessageId();
        await(() -> log.contains("text=[hello]"));
        Matcher line = Pattern.compile("text=\\[hello] same=true dequeueCount=1 id=" + id
                        + " inserted=\"(.*)\" expires=\"(.*)\" visible=\"(.*)\" receipt=true")
                .matcher(log.toString());
        assertTrue(line.find(), log.toString());
        OffsetDateTime inserted = OffsetDateTime.parse(line.group(1));
        assertEquals(inserted.plusDays(7), OffsetDateTime.parse(line.group(2)));
        Duration invisible = Duration.between(inserted, OffsetDateTime.parse(line.group(3)));
        assertTrue(invisible.toSeconds() >= 600 && invisible.toSeconds() < 630, "invisible for " + invisible);
        await(() -> count(queue) == 0);
    }

    @Test
    void propertiesOfThePayloadReplaceMetadataOfThatNameInAnyCase() throws Exception {
        host = start(Map.of(ENCODING, "none"));
        queue.sendMessage("{\"id\": \"batch-7\", \"PopReceipt\": null, \"DequeueCount\": [1]}");
        await(() -> log.contains("dequeueCount=1 id=batch-7 "));
    }

    @Test
    void aPojoIsReadFromJsonAndBadJsonFails() throws Exception {
        QueueClient pojos = queue(queueName + "-pojo");
        pojos.createIfNotExists();
        host = start(Map.of(ENCODING, "none", MAX_DEQUEUE_COUNT, "1"));
        pojos.sendMessage("{\"id\": \"a\", \"lines\": 3}");
        await(() -> log.contains("order=Order[id=a, lines=3]"));
        pojos.sendMessage("null");
        pojos.sendMessage("{");
        QueueClient poisoned = queue(queueName + "-pojo-poison");
        await(() -> count(poisoned) == 2);
    }

    @Test
    void base64IsDecodedAndAnythingElseGoesToPoisonUnread() throws Exception {
        host = start(Map.of());
        queue.sendMessage(Base64.getEncoder().encodeToString("héllo".getBytes(StandardCharsets.UTF_8)));
        queue.sendMessage("{plain}");
        await(() -> log.contains("text=[héllo]") && count(poison) == 1);
        assertEquals("{plain}", poison.receiveMessage().getBody().toString());
        assertFalse(log.contains("text=[{plain}]"), log.toString());
        assertTrue(log.contains("Message decoding has failed!"), log.toString());
    }

    @Test
    void textThatIsNotUtf8IsAFailure() throws Exception {
        host = start(Map.of(MAX_DEQUEUE_COUNT, "2"));
        queue.sendMessage(Base64.getEncoder().encodeToString(new byte[] {(byte) 0xFF}));
        await(() -> count(poison) == 1);
        assertEquals(2, log.count("is not UTF-8"));
    }

    @Test
    void aFailedMessageIsTriedAgainUntilItsCopyGoesToPoison() throws Exception {
        host = start(Map.of(ENCODING, "none", MAX_DEQUEUE_COUNT, "3"));
        String id = queue.sendMessage("fail 1").getMessageId();
        await(() -> count(poison) == 1);
        QueueMessageItem copy = poison.receiveMessage();
        assertEquals("fail 1", copy.getBody().toString());
        assertNotEquals(id, copy.getMessageId());
        assertEquals(1, copy.getDequeueCount());
        assertEquals(copy.getInsertionTime().plusDays(7), copy.getExpirationTime());
        assertEquals(3, log.count("text=[fail 1]"));
        await(() -> count(queue) == 0);
    }

    /** The real host logs an error with the worker's stack trace in both cases. */
    @ParameterizedTest
    @CsvSource({"fail, 2", "fail as planned, 0"})
    void onlyAnExceptionWithAStackIsLoggedAsAnError(String message, long errors) throws Exception {
        host = start(Map.of(ENCODING, "none", MAX_DEQUEUE_COUNT, "2"));
        queue.sendMessage(message);
        await(() -> count(poison) == 1);
        assertEquals(errors, log.errors(), log.toString());
        assertEquals(2, log.count("The function 'Text' failed: "), log.toString());
    }

    @Test
    void afterAFailureTheMessageIsInvisibleForTheVisibilityTimeout() throws Exception {
        Map<String, String> settings = Map.of(
                ENCODING,
                "none",
                MAX_DEQUEUE_COUNT,
                "2",
                "AzureFunctionsJobHost__extensions__queues__visibilityTimeout",
                "00:00:03");
        host = start(settings);
        queue.sendMessage("fail");
        await(() -> log.count("text=[fail]") == 2);
        List<Long> begun = Pattern.compile("text=\\[fail] .* at=(-?\\d+)")
                .matcher(log.toString())
                .results()
                .map(line -> Long.valueOf(line.group(1)))
                .toList();
        Duration between = Duration.ofNanos(begun.get(1) - begun.get(0));
        assertTrue(between.toMillis() > 2_500, "again after " + between);
    }

    @Test
    void aMessageOverTheLimitGoesToPoisonUnrun() throws Exception {
        queue.sendMessage("seen twice");
        IntStream.range(0, 2).forEach(i -> {
            QueueMessageItem seen = queue.receiveMessage();
            queue.updateMessage(seen.getMessageId(), seen.getPopReceipt(), null, Duration.ZERO);
        });
        host = start(Map.of(ENCODING, "none", MAX_DEQUEUE_COUNT, "2"));
        await(() -> count(poison) == 1);
        assertFalse(log.contains("text=[seen twice]"), log.toString());
    }

    @Test
    void aBatchAndTheThresholdRunAtOnceAndNoMore() throws Exception {
        IntStream.range(0, 8).forEach(i -> queue.sendMessage("slow " + i));
        Map<String, String> settings = Map.of(
                ENCODING,
                "none",
                "AzureFunctionsJobHost__extensions__queues__batchSize",
                "2",
                "AzureFunctionsJobHost__extensions__queues__newBatchThreshold",
                "1");
        host = start(settings);
        await(() -> log.count("text=[slow") == 4);
        String beforeOneFinished = log.toString().substring(0, log.toString().indexOf("finished"));
        assertEquals(
                2,
                beforeOneFinished.split("text=\\[slow", -1).length - 1,
                "a second batch was fetched while two of a threshold of one were under way");
    }

    @Test
    @SuppressWarnings("try")
    void theLockIsRenewedWhileTheFunctionRuns() throws Exception {
        AppSettings settings = settings(Map.of(ENCODING, "none"));
        Duration lock = Duration.ofSeconds(2);
        assertTrue(QueueFunctions.SLOW_MILLIS > lock.toMillis());
        try (FunctionApp app = FunctionApp.load(app(), settings);
                QueueListener listener = QueueListener.start(
                        function(app, "Text"), app.hostSettings().queues(), settings, lock)) {
            queue.sendMessage("slow, with a lock shorter than that");
            await(() -> log.contains("text=[slow"));
            while (!log.contains("finished slow")) {
                assertEquals(null, queue.receiveMessage());
                Thread.sleep(50);
            }
            await(() -> count(queue) == 0);
        }
    }

    @Test
    void stoppingLetsMessagesFinish() throws Exception {
        host = start(Map.of(ENCODING, "none"));
        queue.sendMessage("slow");
        await(() -> log.contains("text=[slow]"));
        host.close();
        assertTrue(log.contains("finished slow"), log.toString());
        assertEquals(0, count(queue));
    }

    @Test
    void noMessageStartsWhileOneIsAwaited() throws Exception {
        host = start(Map.of(ENCODING, "none", "TIMER", "* * * * * *"));
        queue.sendMessage("slow");
        int port = host.uri().getPort();
        await(() -> log.contains("text=[slow]"));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(host::close);
        await(() -> isClosed(port));
        long runs = log.count("timer=");
        stop.join();
        assertTrue(log.contains("finished slow"), log.toString());
        assertTrue(log.count("timer=") <= runs + 1, log.toString());
    }

    @Test
    void aQueueThatIsMadeLaterIsFound() throws Exception {
        queue.delete();
        host = start(Map.of(ENCODING, "none"));
        queue.createIfNotExists();
        queue.sendMessage("late");
        await(() -> log.contains("text=[late]"));
        assertFalse(log.contains("Cannot read the queue '" + queueName + "'"), log.toString());
    }

    @Test
    void aFunctionWhoseConnectionIsMissingIsDisabledAndOthersRun() throws Exception {
        host = start(Map.of(ENCODING, "none"));
        assertTrue(
                log.contains("The function 'Poisoned' is disabled: There is no storage connection string in the app"
                        + " setting 'AzureWebJobsNoSuchConnection' or 'NoSuchConnection'"),
                log.toString());
        queue.sendMessage("hello");
        await(() -> log.contains("text=[hello]"));
    }

    @Test
    void anAdminCallRunsAFunctionOnceWithoutTheQueue() throws Exception {
        host = start(Map.of(ENCODING, "none"));
        assertEquals(202, admin("Text", "{\"input\": \"fail by hand\"}"));
        await(() -> log.contains("text=[fail by hand] same=true dequeueCount=0"));
        assertEquals(202, admin("timer", "{\"input\": \"{}\"}"));
        await(() -> log.contains("timer={}"));
        assertEquals(202, admin("timer", "{}"));
        assertEquals(202, admin("timer", "{\"input\": null}"));
        await(() -> log.count("timer=null") == 2);
        assertEquals(404, admin("NoSuchFunction", "{\"input\": \"\"}"));
        assertEquals(400, admin("NoSuchFunction", ""));
        assertEquals(400, admin("Text", "{\"input\": {}}"));
        assertEquals(415, admin("Text", "{\"input\": \"\"}", "text/plain"));
        assertEquals(1, log.count("text=["));
        assertEquals(0, count(poison));
    }

    @Test
    void aTimerRunsByItsSchedule() throws Exception {
        host = start(Map.of(ENCODING, "none", "TIMER", "* * * * * *"));
        await(() -> log.count("timer={\"Schedule\":{\"AdjustForDST\":true},\"IsPastDue\":false}") > 1);
    }

    @Test
    void aTimerWithoutAScheduleIsLeftOutAndOthersRun() throws Exception {
        host = start(Map.of(ENCODING, "none", "TIMER", "off"));
        assertTrue(
                log.contains(
                        "The timer function 'Timer' runs only when you POST JSON to /admin/functions/Timer: Its schedule"
                                + " 'off' is not an NCRONTAB expression such as 0 0 2 * * *."),
                log.toString());
        queue.sendMessage("hello");
        await(() -> log.contains("text=[hello]"));
    }

    /** Whether the host has stopped. It stops its queues and timers before it closes its port. */
    private static boolean isClosed(int port) {
        try {
            new Socket("127.0.0.1", port).close();
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    private LocalHost start(Map<String, String> settings) throws IOException {
        LocalHost started = LocalHost.start(app(), settings(settings), 0, Optional.empty());
        started.listen();
        return started;
    }

    private AppSettings settings(Map<String, String> further) {
        Map<String, String> settings =
                new HashMap<>(Map.of("QUEUE", queueName, "Fixture", SharedAzurite.connectionString()));
        settings.putAll(further);
        return new AppSettings(settings);
    }

    private Path app() throws IOException {
        return FixtureApp.in(folder, QueueFunctions.class).write();
    }

    private int admin(String function, String body) throws Exception {
        return admin(function, body, "application/json");
    }

    private int admin(String function, String body, String type) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(host.uri() + "/admin/functions/" + function))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    private static Function function(FunctionApp app, String name) {
        return app.functions().stream()
                .filter(function -> function.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static QueueClient queue(String name) {
        return new QueueClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .queueName(name)
                .buildClient();
    }

    /** Returns the number of messages, including invisible ones, or 0 if the queue does not exist. */
    private static long count(QueueClient queue) {
        try {
            return queue.getProperties().getApproximateMessagesCountLong();
        } catch (QueueStorageException e) {
            assertEquals(404, e.getStatusCode());
            return 0;
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(20);
        }
    }
}
