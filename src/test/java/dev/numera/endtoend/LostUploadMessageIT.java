package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.NumeraClient.Reply;
import dev.numera.fixtures.proxy.ErrorBody;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.Nth;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.localhost.Azurite;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Uploads whose message was never sent or was lost. Sending the list again restarts them. Runs with its own queue. */
class LostUploadMessageIT {
    private static final String QUEUE = "numbering-requests";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static Azurite azurite;
    /** The proxy in front of the queue service, which it treats as the table service. */
    private static FaultProxy queues;

    private static HostProcess host;
    private static NumeraClient client;

    @BeforeAll
    static void start() {
        azurite = Azurite.inMemory();
        Azurite.Ports ports = azurite.ports();
        queues = FaultProxy.before(new Azurite.Ports(ports.blob(), ports.queue(), ports.queue()));
        host = HostProcess.start(
                Azurite.connectionString(new Azurite.Ports(ports.blob(), queues.port(), ports.table())), Map.of());
        client = new NumeraClient(host.baseUri());
    }

    @AfterAll
    static void stop() {
        host.close();
        queues.close();
        azurite.close();
    }

    @AfterEach
    void healQueues() {
        queues.heal();
    }

    @Test
    void listWithoutAFirstMessageIsAcceptedWhenSentAgain() {
        queues.inject(
                Fault.status(500, ErrorBody.XML), Nth.every(RequestKind.INSERT).onPath(QUEUE));
        upload("unsent").expectProblem(503, "storage-unavailable");
        queues.heal();

        Reply accepted = upload("unsent").expect(202);
        Reply again = upload("unsent").expect(202);

        assertEquals(accepted.location(), again.location());
        requireNumbered(accepted.location());
    }

    @Test
    void listWithALostMessageContinuesWhenSentAgain() {
        queues.inject(
                Fault.status(500, ErrorBody.XML), Nth.every(RequestKind.READ).onPath(QUEUE));
        Reply accepted = upload("lost").expect(202);
        QueueClient queue = new QueueClientBuilder()
                .connectionString(azurite.connectionString())
                .queueName(QUEUE)
                .buildClient();
        assertEquals(1, queue.getProperties().getApproximateMessagesCountLong());
        queue.clearMessages();
        queues.heal();
        assertEquals(
                "pending",
                client.get(accepted.location()).expect(202).body().get("status").textValue());

        Reply again = upload("lost").expect(202);

        assertEquals(accepted.location(), again.location());
        assertEquals("pending", again.body().get("status").textValue());
        requireNumbered(accepted.location());
    }

    /** Uploads a list under its own key, which identifies the upload when the client resends it. */
    private static Reply upload(String name) {
        return client.send(
                "POST",
                "/api/sequences/Files/" + name + "/batches",
                "{\"keys\": [\"a\", \"b\", \"c\"]}",
                "Idempotency-Key",
                name);
    }

    private static void requireNumbered(String location) {
        Reply reply = client.awaitUpload(location, TIMEOUT, host::output);
        assertEquals("numbered", reply.body().get("status").textValue());
        assertEquals(3, reply.body().get("allocations").get(2).get("first").longValue());
    }
}
