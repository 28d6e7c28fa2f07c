package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.TestAccount;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageQueueIT {
    private final String name = "queue-" + UUID.randomUUID();
    private final QueueClient reader = new QueueServiceClientBuilder()
            .connectionString(SharedAzurite.connectionString())
            .buildClient()
            .getQueueClient(name);
    private final MessageQueue queue =
            TestAccount.at(SharedAzurite.connectionString()).queue(name);

    @BeforeEach
    void queueIsThere() {
        reader.create();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\": \"batch-7\"}",
                "a < b && b > \"c\" ]]> <!-- d -->",
                "  blanks at both ends  ",
                "lines\nand\ttabs",
                "carriage\r\nreturns\r",
                "é 数 \uD83D\uDE00 \u007F \u0085 \u2028",
            })
    void aMessageArrivesAsItWasSent(String text) {
        queue.send(text);

        assertEquals(text, reader.receiveMessage().getBody().toString());
    }

    @Test
    void messageOf64KiBWithXmlCharactersArrives() {
        String text = "<&>\"".repeat(MessageQueue.MAX_MESSAGE_BYTES / 4);

        queue.send(text);

        assertEquals(text, reader.receiveMessage().getBody().toString());
    }

    @Test
    void aLongerMessageIsAFailureThatNamesTheQueue() {
        StoreFailure failure =
                assertThrows(StoreFailure.class, () -> queue.send("x".repeat(MessageQueue.MAX_MESSAGE_BYTES + 1)));

        assertTrue(failure.getMessage().startsWith("Sending to the queue " + name + " failed"), failure.getMessage());
        assertFalse(failure.isWorthRetrying());
    }

    @Test
    void aMissingQueueIsMade() {
        reader.delete();

        queue.send("first");

        assertEquals("first", reader.receiveMessage().getBody().toString());
    }

    @Test
    void hiddenMessageReappearsAndNeverExpires() {
        queue.sendHidden("later", Duration.ofSeconds(2));
        queue.send("now");

        assertEquals("now", reader.receiveMessage().getBody().toString());
        QueueMessageItem later = null;
        while (later == null) {
            later = reader.receiveMessage();
        }
        assertEquals("later", later.getBody().toString());
        assertEquals(1, later.getDequeueCount());
        assertTrue(later.getExpirationTime().isAfter(later.getInsertionTime().plusYears(100)), "it does not expire");
    }

    @Test
    void aMissingQueueIsMadeForAHiddenMessageToo() {
        reader.delete();

        queue.sendHidden("first", Duration.ofHours(1));

        assertEquals(1, queue.approximateCount());
    }

    @Test
    void refusedAccountKeyIsReported() {
        String wrongKey = SharedAzurite.connectionString().replaceFirst("AccountKey=\\w{8}", "AccountKey=AAAAAAAA");

        StoreFailure failure = assertThrows(
                StoreFailure.class, () -> TestAccount.at(wrongKey).queue(name).send("x"));

        assertTrue(failure.getMessage().contains("refused the credentials (403)"), failure.getMessage());
        assertFalse(failure.getMessage().contains("AAAAAAAA"));
    }
}
