package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.ExecutionContext;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.sequences.access.Bulkhead;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import dev.numera.sequences.numbering.Allocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The share of one sequence: its messages take a third of the slots. Further messages wait as copies, which keep
 * everything that matters.
 */
class QueueShareTest {
    private static final SequenceName ORDER = new SequenceName("App1", "order");
    private static final SequenceName OTHER = new SequenceName("App1", "ticket");
    private static final String MESSAGE_ID = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    private static final Instant FIRST_SENT = Instant.parse("2026-11-21T23:59:59Z");
    private static final String INSERTED = "\"2026-11-21T23:59:59+00:00\"";
    private static final String COPY_INSERTED = "\"2026-11-24T08:00:00+00:00\"";
    private static final String BATCH =
            " {\"id\": \"batch-7\", \"scope\": \"App1\", \"name\": \"order\", \"keys\": [\"a\"]}";
    private static final String COPY = "{\"insertedAt\": \"2026-11-21T23:59:59Z\"}\n" + BATCH;

    private final App app = mock(App.class);
    private final Allocator allocator = mock(Allocator.class);
    private final StorageAccount storage = mock(StorageAccount.class);
    private final MessageQueue requests = mock(MessageQueue.class);
    private final ExecutionContext context = mock(ExecutionContext.class);
    private final Logger log = mock(Logger.class);
    private final Bulkhead slots = new Bulkhead(Queues.SLOTS_FOR_EACH_SEQUENCE);
    private final List<String> sent = new ArrayList<>();
    private double random = 0;
    private final NumberBatchFunction function = new NumberBatchFunction(app, () -> random, slots);

    @BeforeEach
    void wire() {
        when(app.batches()).thenReturn(new ListWork(allocator, null));
        when(app.storage()).thenReturn(storage);
        MessageQueue results = queue("result ");
        MessageQueue poison = queue("poison ");
        when(storage.queue(Queues.RESULTS)).thenReturn(results);
        when(storage.queue(Queues.POISON)).thenReturn(poison);
        when(storage.queue(Queues.REQUESTS)).thenReturn(requests);
        doAnswer(call -> sent.add("hidden " + call.<Duration>getArgument(1).toSeconds() + " " + call.getArgument(0)))
                .when(requests)
                .sendHidden(anyString(), any());
        when(context.getLogger()).thenReturn(log);
        when(allocator.next(any(), any(), any()))
                .thenReturn(new CallResult<>(
                        List.of(Result.of(PlainNumbers.of("a", 1, 1, 1, 1, null, false))), false, 1, 1));
    }

    private MessageQueue queue(String name) {
        MessageQueue queue = mock();
        doAnswer(call -> sent.add(name + call.getArgument(0))).when(queue).send(anyString());
        return queue;
    }

    /** Runs the action while this many messages of a sequence are in progress. */
    private void whileTaken(int taken, SequenceName sequence, Runnable then) {
        if (taken == 0) {
            then.run();
        } else {
            slots.call(
                    sequence,
                    () -> {
                        whileTaken(taken - 1, sequence, then);
                        return sequence;
                    },
                    () -> {
                        throw new AssertionError("There is no slot left.");
                    });
        }
    }

    private void deliver(String message, String dequeueCount, String insertedAt) {
        function.numberBatch(message, MESSAGE_ID, dequeueCount, insertedAt, context);
    }

    private void deliverWhileFull(String message, String dequeueCount, String insertedAt) {
        whileTaken(Queues.SLOTS_FOR_EACH_SEQUENCE, ORDER, () -> deliver(message, dequeueCount, insertedAt));
    }

    private boolean isNumberedAt(Instant sentAt) {
        verify(allocator).next(eq(ORDER), any(), eq(sentAt));
        return sent.size() == 1 && sent.get(0).startsWith("result ");
    }

    @Test
    void upToAThirdOfTheSlotsMessagesAreNumbered() {
        whileTaken(Queues.SLOTS_FOR_EACH_SEQUENCE - 1, ORDER, () -> deliver(BATCH, "1", INSERTED));

        assertTrue(isNumberedAt(FIRST_SENT));
    }

    @Test
    void messagesOfAnotherSequenceTakeNoSlotsOfIts() {
        whileTaken(Queues.SLOTS_FOR_EACH_SEQUENCE, OTHER, () -> deliver(BATCH, "1", INSERTED));

        assertTrue(isNumberedAt(FIRST_SENT));
    }

    @Test
    void aSlotIsFreeAgainAfterAMessageThatFailed() {
        doThrow(new StoreFailure("The table is down.", true, null))
                .when(allocator)
                .next(any(), any(), any());

        for (int message = 0; message <= Queues.SLOTS_FOR_EACH_SEQUENCE; message++) {
            assertThrows(NumberBatchFunction.NotNow.class, () -> deliver(BATCH, "1", INSERTED));
        }
        assertEquals(List.of(), sent);
    }

    @Test
    void messagesBeyondTheShareArePutBackWithTheirInsertionTime() {
        deliverWhileFull(BATCH, "1", INSERTED);

        verify(allocator, never()).next(any(), any(), any());
        assertEquals(List.of("hidden 1 " + COPY), sent);
    }

    @Test
    void copiesThatArePutBackTogetherComeBackOneByOne() {
        random = 0.9999;
        deliverWhileFull(COPY, "1", COPY_INSERTED);

        assertEquals(List.of("hidden 36 " + COPY), sent);
    }

    /** The time in a copy may be up to five minutes later than the copy's own insertion, because clocks differ. */
    @ParameterizedTest
    @CsvSource({
        "21T23:55:00, 1",
        "21T23:59:59, 1",
        "22T00:00:00, 3",
        "22T00:00:03, 9",
        "22T00:00:13, 29",
        "22T00:00:14, 30",
        "22T01:00:00, 30"
    })
    void eachWaitIsTwiceAsLongAsThoseBeforeUpToHalfAMinute(String insertedOn, int seconds) {
        deliverWhileFull(COPY, "1", "\"2026-11-" + insertedOn + "+00:00\"");

        assertEquals(List.of("hidden " + seconds + " " + COPY), sent);
    }

    @Test
    void aCopyIsPutBackAgainWithTheSameTime() {
        deliverWhileFull(COPY, "1", COPY_INSERTED);

        assertEquals(List.of("hidden 30 " + COPY), sent);
    }

    @Test
    void aCopyMeansTheDayOfTheOriginal() {
        deliver(COPY, "1", COPY_INSERTED);

        assertTrue(isNumberedAt(FIRST_SENT));
    }

    @Test
    void aBase64MessageIsPutBackInBase64AndAnsweredInIt() {
        deliverWhileFull(base64(BATCH), "1", INSERTED);
        assertEquals(List.of("hidden 1 " + base64(COPY)), sent);
        sent.clear();

        deliver(base64(COPY), "1", COPY_INSERTED);

        assertTrue(isNumberedAt(FIRST_SENT));
        assertTrue(sent.get(0).startsWith("result " + base64("{\"id\":\"batch")), sent::toString);
    }

    @Test
    void aPartOfAnUploadIsPutBackToo() {
        Uploads uploads = mock();
        when(app.uploads()).thenReturn(uploads);
        String part = new QueueMessage.OfPart(
                        new Upload.Id(ORDER, Upload.Kind.BATCH, "0123456789abcdef0123456789abcdef"), 2)
                .toMessage();

        deliverWhileFull(part, "1", INSERTED);

        verify(uploads, never()).work(any(), eq(2));
        assertEquals(List.of("hidden 1 {\"insertedAt\": \"2026-11-21T23:59:59Z\"}\n" + part), sent);
    }

    /**
     * A copy may be in the queue already: a process that ended after it had sent the copy could not remove the
     * original.
     */
    @ParameterizedTest
    @ValueSource(strings = {"2", "19", "\"2\""})
    void anOriginalThatIsDeliveredAgainIsNotCopiedASecondTime(String dequeueCount) {
        NumberBatchFunction.NotNow thrown =
                assertThrows(NumberBatchFunction.NotNow.class, () -> deliverWhileFull(BATCH, dequeueCount, INSERTED));

        assertEquals(
                "Message batch-7 for App1/order is left in the queue and will be delivered again. It has to"
                        + " wait, because 8 messages of its sequence are already being processed.",
                thrown.getMessage());
        assertEquals(List.of(), sent);
    }

    @Test
    void anOriginalThatIsDeliveredAgainIsNumberedAsSoonAsThereIsASlot() {
        deliver(BATCH, "2", INSERTED);

        assertTrue(isNumberedAt(FIRST_SENT));
    }

    @Test
    void messageInItsLastDeliveryIsPutBack() {
        deliverWhileFull(BATCH, "20", INSERTED);

        assertEquals(List.of("hidden 1 " + COPY), sent);
    }

    @Test
    void aCopyThatCannotBeSentIsThrown() {
        doThrow(new StoreFailure("The queue is down.", true, null))
                .when(requests)
                .sendHidden(anyString(), any());

        assertThrows(NumberBatchFunction.NotNow.class, () -> deliverWhileFull(BATCH, "1", INSERTED));
    }

    @Test
    void aMessageThatLeavesNoRoomForTheTimeIsLeftToTheHost() {
        String full = BATCH + " ".repeat(MessageQueue.MAX_MESSAGE_BYTES - BATCH.length());

        NumberBatchFunction.NotNow thrown =
                assertThrows(NumberBatchFunction.NotNow.class, () -> deliverWhileFull(full, "1", INSERTED));

        assertTrue(
                thrown.getMessage().endsWith("the message is too large for a copy that waits."), thrown.getMessage());
        assertEquals(List.of(), sent);
    }

    @Test
    void aRejectedCopyIsPoisonInItsOriginalText() {
        doThrow(new ProblemException(ProblemType.RETIRED, "The reason."))
                .when(allocator)
                .next(any(), any(), any());

        deliver(COPY, "1", COPY_INSERTED);

        assertEquals("poison " + BATCH, sent.get(0));
        assertTrue(sent.get(1).startsWith("result {\"id\":\"batch-7\""), sent::toString);
    }

    @Test
    void aCopyThatFailsInItsLastDeliveryIsPoisonInItsOriginalText() {
        doThrow(new StoreFailure("The table is down.", true, null))
                .when(allocator)
                .next(any(), any(), any());

        assertThrows(NumberBatchFunction.NotNow.class, () -> deliver(COPY, "19", COPY_INSERTED));
        assertEquals(List.of(), sent);
        deliver(COPY, "20", COPY_INSERTED);

        assertEquals(List.of("poison " + BATCH), sent);
        verify(log)
                .warning("Message batch-7"
                        + " (first put into the queue at 2026-11-21T23:59:59Z) for App1/order was"
                        + " delivered 20 times and goes to the queue numbering-requests-poison. The table is down.");
    }

    @Test
    void anOriginalThatFailsInItsLastDeliveryIsPoisonedByTheHost() {
        doThrow(new StoreFailure("The table is down.", true, null))
                .when(allocator)
                .next(any(), any(), any());

        assertThrows(NumberBatchFunction.NotNow.class, () -> deliver(BATCH, "20", INSERTED));
        assertEquals(List.of(), sent);
    }

    @Test
    void aCopyThatTheAppDidNotMakeIsRejected() {
        String forged = COPY.replace("2026", "2027");

        deliver(forged, "1", COPY_INSERTED);

        verify(allocator, never()).next(any(), any(), any());
        assertEquals("poison " + BATCH, sent.get(0));
        assertTrue(sent.get(1).contains("\"field\":\"insertedAt\""), sent::toString);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
