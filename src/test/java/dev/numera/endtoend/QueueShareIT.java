package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.localhost.Azurite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages that wait without using up a delivery, on a separate Azurite and host. */
@Tag("long")
class QueueShareIT {
    /** A delay far longer than a test. */
    private static final Duration HELD = Duration.ofMinutes(10);

    /** A wait longer than a returned message stays hidden. */
    private static final long NEXT_ANSWER_WITHIN_NANOS = Duration.ofMinutes(2).toNanos();

    private static final int SICK = 200;

    private static final long POLLING_NANOS = Duration.ofMillis(20).toNanos();
    private final Map<String, JsonNode> answers = new TreeMap<>();

    /** Long deadlines, so that a hanging batch keeps its slot. */
    private static Map<String, String> settings(int maxDeliveries) {
        return Map.of(
                "Numera_DeadlineMillis", "200000",
                "Numera_StorageTimeoutMillis", "5000",
                "AzureFunctionsJobHost__extensions__queues__maxDequeueCount", Integer.toString(maxDeliveries));
    }

    /**
     * Sends more messages than an instance processes at once, so that most return to the queue, many of them several
     * times. If a return used up a delivery, two would be too few. The second delivery allows for one failure, such as
     * a closed connection.
     */
    @Test
    void aSequenceThatHangsDelaysNoBatchOfAnotherAndNumbersItsOwnLater() {
        try (Azurite azurite = Azurite.inMemory();
                FaultProxy proxy = FaultProxy.before(azurite.ports());
                HostProcess host = HostProcess.start(proxy.connectionString(), settings(2))) {
            QueueServiceClient queues = new QueueServiceClientBuilder()
                    .connectionString(Azurite.connectionString(azurite.ports()))
                    .buildClient();
            QueueClient requests = made(queues, "numbering-requests");
            QueueClient results = made(queues, "numbering-results");
            QueueClient poison = made(queues, "numbering-requests-poison");
            proxy.inject(Fault.forwardedLate(HELD), Nth.every(RequestKind.READ).onPath("sick',RowKey='"));
            IntStream.range(0, SICK).mapToObj(i -> "sick-" + i).forEach(id -> requests.sendMessage(batch(id, "sick")));
            while (proxy.traffic().faults().isEmpty()) {
                LockSupport.parkNanos(POLLING_NANOS);
            }

            requests.sendMessage(batch("healthy-1", "healthy"));
            await(results, 1, host);
            assertEquals(List.of("healthy-1"), List.copyOf(answers.keySet()), "the sick one is still held");

            proxy.heal();
            await(results, 1 + SICK, host);
            assertEquals(
                    IntStream.rangeClosed(1, SICK).boxed().toList(),
                    answers.entrySet().stream()
                            .filter(answer -> answer.getKey().startsWith("sick"))
                            .map(answer ->
                                    answer.getValue().at("/allocations/0/first").intValue())
                            .sorted()
                            .toList());
            assertEquals(0, poison.getProperties().getApproximateMessagesCountLong(), "no delivery was used");
            assertTrue(host.output().contains(" is put back for "), host::output);
        }
    }

    @Test
    void aMessageOfASuspendedSequenceWaitsAndIsNumberedAfterItIsResumed() {
        try (Azurite azurite = Azurite.inMemory();
                HostProcess host = HostProcess.start(azurite.connectionString(), settings(1))) {
            NumeraClient client = new NumeraClient(host.baseUri());
            QueueServiceClient queues = new QueueServiceClientBuilder()
                    .connectionString(azurite.connectionString())
                    .buildClient();
            QueueClient requests = made(queues, "numbering-requests");
            QueueClient results = made(queues, "numbering-results");
            QueueClient poison = made(queues, "numbering-requests-poison");
            String sequence = "/api/sequences/Share/suspended";
            client.send("PUT", sequence, "{}", "If-None-Match", "*").expect(201);
            client.send("POST", sequence + "/suspend", "{\"reason\": \"stocktaking\"}")
                    .expect(200);

            requests.sendMessage(batch("waits-1", "suspended"));
            long deadline = System.nanoTime() + NEXT_ANSWER_WITHIN_NANOS;
            while (!host.output().contains(" is put back for ")) {
                assertTrue(System.nanoTime() < deadline, host::output);
                assertEquals(0, poison.getProperties().getApproximateMessagesCountLong(), host::output);
                LockSupport.parkNanos(POLLING_NANOS);
            }
            client.send("POST", sequence + "/resume", "{\"reason\": \"done\"}").expect(200);

            await(results, 1, host);
            assertEquals(1, answers.get("waits-1").at("/allocations/0/first").intValue());
            assertEquals(0, poison.getProperties().getApproximateMessagesCountLong());
        }
    }

    private static QueueClient made(QueueServiceClient queues, String name) {
        QueueClient queue = queues.getQueueClient(name);
        queue.createIfNotExists();
        return queue;
    }

    private static String batch(String id, String name) {
        return "{\"id\": \"" + id + "\", \"scope\": \"Share\", \"name\": \"" + name + "\", \"keys\": [\"" + id + "\"]}";
    }

    /**
     * Waits as long as another answer arrives within {@link #NEXT_ANSWER_WITHIN_NANOS}, because some messages return
     * several times.
     */
    private void await(QueueClient results, int count, HostProcess host) {
        long deadline = System.nanoTime() + NEXT_ANSWER_WITHIN_NANOS;
        while (answers.size() < count) {
            assertTrue(
                    System.nanoTime() < deadline,
                    () -> "Only these were answered: " + answers.keySet() + ". The host said: " + host.output());
            int before = answers.size();
            results.receiveMessages(32).forEach(this::add);
            if (answers.size() > before) {
                deadline = System.nanoTime() + NEXT_ANSWER_WITHIN_NANOS;
            }
            LockSupport.parkNanos(POLLING_NANOS);
        }
    }

    private void add(QueueMessageItem message) {
        try {
            JsonNode answer = new ObjectMapper().readTree(message.getBody().toString());
            answers.put(answer.get("id").textValue(), answer);
        } catch (JsonProcessingException e) {
            throw new AssertionError("An answer is JSON, but not " + message.getBody(), e);
        }
    }
}
