package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.numera.fixtures.HostProcess;
import dev.numera.functions.Queues;
import dev.numera.functions.http.lists.PoisonFunctions;
import dev.numera.localhost.Azurite;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log lines that the alerts on the poison queue and on silence depend on. */
@Tag("long")
class WatchPoisonIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final long POLLING_MILLIS = 20;

    @Test
    void logShowsThePoisonQueueAndARunFailsWithoutStorage() throws InterruptedException {
        Azurite azurite = Azurite.inMemory();
        try (HostProcess host = HostProcess.start(azurite.connectionString(), Map.of())) {
            QueueClient poison = new QueueServiceClientBuilder()
                    .connectionString(azurite.connectionString())
                    .buildClient()
                    .getQueueClient(Queues.POISON);
            poison.createIfNotExists();
            for (int message = 0; message < 3; message++) {
                poison.sendMessage("{}");
            }
            setOffUntilItSays(host, PoisonFunctions.FOUND + 3);

            poison.sendMessage("{}");
            setOffUntilItSays(host, PoisonFunctions.FOUND + 4);

            azurite.close();
            setOffUntilItSays(host, "SEVERE Host.Admin");
        } finally {
            azurite.close();
        }
    }

    private static void setOffUntilItSays(HostProcess host, String expected) throws InterruptedException {
        assertEquals(202, host.setOff("WatchPoison"));
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!host.output().contains(expected)) {
            assertTrue(System.nanoTime() - deadline < 0, host::output);
            TimeUnit.MILLISECONDS.sleep(POLLING_MILLIS);
        }
    }
}
