package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.ExecutionContext;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.PlainNumbers;
import dev.numera.functions.App;
import dev.numera.sequences.access.PrintedAllocation;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import dev.numera.sequences.numbering.Allocator;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;

class NumberBatchFunctionTest {
    private static final String MESSAGE_ID = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    private static final String INSERTED = "\"2026-11-21T12:40:00+00:00\"";
    private static final String TWO_KEYS =
            "{\"id\": \"batch-7\", \"scope\": \"App1\", \"name\": \"order\", \"keys\": [\"a\", \"b\"]}";
    private static final String HEAD = "{\"id\":\"batch-7\",\"scope\":\"App1\",\"name\":\"order\",";
    private static final String NUMBERED = HEAD + "\"status\":\"numbered\",\"part\":1,\"parts\":1,\"allocations\":["
            + "{\"key\":\"a\",\"first\":1,\"last\":1,\"count\":1,\"increment\":1},{\"key\":\"b\",\"first\":2,\"last\":2,\"count\":1,\"increment\":1}]}";

    private static final Upload.Id UPLOAD =
            new Upload.Id(new SequenceName("App1", "order"), Upload.Kind.BATCH, "0123456789abcdef0123456789abcdef");

    private final App app = mock(App.class);
    private final Allocator allocator = mock(Allocator.class);
    private final StorageAccount storage = mock(StorageAccount.class);
    private final MessageQueue results = mock(MessageQueue.class);
    private final MessageQueue poison = mock(MessageQueue.class);
    private final MessageQueue requests = mock(MessageQueue.class);
    private final Uploads uploads = mock(Uploads.class);
    private final ExecutionContext context = mock(ExecutionContext.class);
    private final Logger logger = mock(Logger.class);
    private final List<String> sent = new ArrayList<>();
    private final NumberBatchFunction function = new NumberBatchFunction(app);

    @BeforeEach
    void wire() {
        when(app.batches()).thenReturn(new ListWork(allocator, null));
        when(app.storage()).thenReturn(storage);
        when(app.uploads()).thenReturn(uploads);
        when(storage.queue("numbering-requests")).thenReturn(requests);
        when(storage.queue("numbering-results")).thenReturn(results);
        when(storage.queue("numbering-requests-poison")).thenReturn(poison);
        doAnswer(call -> sent.add("result " + call.getArgument(0)))
                .when(results)
                .send(anyString());
        doAnswer(call -> sent.add("request " + call.getArgument(0)))
                .when(requests)
                .send(anyString());
        doAnswer(call -> sent.add("poison " + call.getArgument(0))).when(poison).send(anyString());
        when(context.getLogger()).thenReturn(logger);
        when(allocator.next(any(), any(), any())).thenAnswer(call -> {
            List<NumberRequest> numberRequests = call.getArgument(1);
            List<Result<PrintedAllocation>> answers = new ArrayList<>();
            for (NumberRequest request : numberRequests) {
                long number = answers.size() + 1;
                answers.add(Result.of(PlainNumbers.of(request.key(), number, number, 1, 1, null, false)));
            }
            return new CallResult<>(answers, false, 1, 1);
        });
    }

    @Test
    void aPlainMessageIsAnsweredPlain() {
        function.numberBatch(TWO_KEYS, MESSAGE_ID, "1", INSERTED, context);

        assertEquals(List.of("result " + NUMBERED), sent);
    }

    @Test
    void aBase64MessageIsAnsweredInBase64() {
        function.numberBatch(base64(TWO_KEYS), MESSAGE_ID, "1", INSERTED, context);

        assertEquals(List.of("result " + base64(NUMBERED)), sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                INSERTED,
                "2026-11-21T12:40:00+00:00",
                "\"2026-11-21T12:40:00Z\"",
                "\"2026-11-21T13:40:00.0000000+01:00\""
            })
    void insertionTimeIsTheTimeOfTheRequest(String insertionTime) {
        function.numberBatch(TWO_KEYS, MESSAGE_ID, "1", insertionTime, context);

        verify(allocator).next(eq(new SequenceName("App1", "order")), any(), eq(Instant.parse("2026-11-21T12:40:00Z")));
    }

    @Test
    void anUnreadableInsertionTimeNumbersNothing() {
        RuntimeException failure = assertThrows(
                RuntimeException.class, () -> function.numberBatch(TWO_KEYS, MESSAGE_ID, "1", "yesterday", context));

        assertTrue(failure.getMessage().contains("yesterday"), failure.getMessage());
        verify(allocator, never()).next(any(), any(), any());
        assertEquals(List.of(), sent);
    }

    @Test
    void fieldNamedAsTheInsertionTimeIsRefused() {
        String message =
                "{\"id\": \"batch-7\", \"scope\": \"App1\", \"name\": \"order\", \"keys\": [\"a\"], \"InsertionTime\": \"x\"}";

        function.numberBatch(message, MESSAGE_ID, "1", "x", context);

        assertEquals("poison " + message, sent.get(0));
    }

    @ParameterizedTest
    @EnumSource(
            value = ProblemType.class,
            names = {
                "CONTENTION",
                "OUTCOME_UNKNOWN",
                "OVERLOADED",
                "ROLLED_BACK",
                "STORAGE_UNAVAILABLE",
                "MISCONFIGURED"
            })
    void failureOfTheServiceIsThrownAndNothingIsSent(ProblemType type) {
        doThrow(new ProblemException(type, "The reason.")).when(allocator).next(any(), any(), any());

        NumberBatchFunction.NotNow thrown = assertThrows(
                NumberBatchFunction.NotNow.class,
                () -> function.numberBatch(TWO_KEYS, MESSAGE_ID, "1", INSERTED, context));

        assertEquals(
                "Message batch-7 for App1/order is left in the queue and will be delivered again. The reason.",
                thrown.getMessage());
        assertEquals(0, thrown.getStackTrace().length, "the host would log it");
        assertNull(thrown.getCause(), "the Java worker would log it in place of the message");
        assertEquals(List.of(), sent);
    }

    @Test
    void anAppThatIsMisconfiguredThrowsEvenForABadMessage() {
        when(app.batches())
                .thenThrow(new ProblemException(ProblemType.MISCONFIGURED, "The setting NumeraStorage is missing."));

        assertThrows(
                NumberBatchFunction.NotNow.class, () -> function.numberBatch("[]", MESSAGE_ID, "1", INSERTED, context));
        assertEquals(List.of(), sent);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProblemType.class,
            names = {"KEY_REFUSED", "UNKNOWN_SEQUENCE", "EXHAUSTED", "RETIRED", "KEY_REUSED", "INVALID_REQUEST"})
    void messageThatCanNeverSucceedIsPoisonAndRejected(ProblemType problem) {
        doThrow(new ProblemException(problem, "The reason.")).when(allocator).next(any(), any(), any());
        String message = base64(" " + TWO_KEYS);

        function.numberBatch(message, MESSAGE_ID, "1", INSERTED, context);

        assertEquals("poison " + message, sent.get(0));
        String result = new String(
                Base64.getDecoder().decode(sent.get(1).substring("result ".length())), StandardCharsets.US_ASCII);
        assertTrue(
                result.startsWith(HEAD
                        + "\"status\":\"rejected\",\"part\":1,\"parts\":1,\"allocations\":[],\"problem\":{\"type\":\""
                        + problem.urn() + "\""),
                result);
        assertEquals(2, sent.size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not JSON",
                "[]",
                "{}",
                "{\"scope\": \"App1\", \"name\": \"order\", \"keys\": []}",
                "{\"count\": 1e99999999999}",
                "eyJ9"
            })
    void aBadMessageWithoutAnIdIsOnlyPoison(String message) {
        function.numberBatch(message, MESSAGE_ID, "1", INSERTED, context);

        assertEquals(List.of("poison " + message), sent);
        verify(allocator, never()).next(any(), any(), any());
    }

    @Test
    void logNamesTheReasonOfAPoisonMessage() {
        function.numberBatch("order-9001", MESSAGE_ID, "1", INSERTED, context);

        verify(logger)
                .warning("Message " + MESSAGE_ID + " for a sequence whose scope or name is wrong is refused and goes to"
                        + " the queue numbering-requests-poison: urn:problem-type:numera:invalid-request. message is not"
                        + " JSON at line 1, column 6: it must be a JSON object, plain or in Base64.");
    }

    @Test
    void theLogOfAPoisonMessageHasNoKeys() {
        doThrow(new ProblemException(ProblemType.KEY_REUSED, "The key 'b' has more numbers than the key 'c'."))
                .when(allocator)
                .next(any(), any(), any());

        function.numberBatch(TWO_KEYS, "\"" + MESSAGE_ID + "\"", "1", INSERTED, context);

        verify(logger)
                .warning("Message batch-7 for App1/order is refused and goes to the queue"
                        + " numbering-requests-poison: urn:problem-type:numera:key-reused. The key '...' has more numbers"
                        + " than the key 'c'.");
    }

    /** The host recognizes the sender's id only in a message that is one JSON value. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{\"insertedAt\": \"2026-11-21T12:39:00Z\"}\n"})
    void logNamesAMessageByItsIdHoweverItWasSent(String before) {
        doThrow(new ProblemException(ProblemType.KEY_REUSED, "Used."))
                .when(allocator)
                .next(any(), any(), any());
        String message = before + TWO_KEYS;

        function.numberBatch(before.isEmpty() ? base64(message) : message, MESSAGE_ID, "1", INSERTED, context);

        ArgumentCaptor<String> line = ArgumentCaptor.forClass(String.class);
        verify(logger).warning(line.capture());
        assertTrue(line.getValue().startsWith("Message batch-7 "), line::getValue);
    }

    @Test
    void logNamesAMessageWithAnInvalidIdByTheIdOfTheQueue() {
        function.numberBatch(base64("{\"id\": \"a\\nb\", \"c\": 1}"), MESSAGE_ID, "1", INSERTED, context);

        ArgumentCaptor<String> line = ArgumentCaptor.forClass(String.class);
        verify(logger).warning(line.capture());
        assertTrue(line.getValue().startsWith("Message " + MESSAGE_ID + " for "), line::getValue);
    }

    @Test
    void senderTextCannotAddLogLines() {
        function.numberBatch("{\"Id\": \"night-7\", \"a\\nb\": 1}", "night-7", "1", INSERTED, context);
        function.numberBatch("{\"Id\": \"a\\nb\", \"c\": 1}", "a\nb", "1", INSERTED, context);
        function.numberBatch("{\"a\\nb\": 1}", MESSAGE_ID, "1", INSERTED, context);

        ArgumentCaptor<String> lines = ArgumentCaptor.forClass(String.class);
        verify(logger, times(3)).warning(lines.capture());
        assertTrue(lines.getAllValues().get(0).startsWith("Message night-7 for "), lines::toString);
        assertTrue(lines.getAllValues().get(1).startsWith("Message with an invalid id for "), lines::toString);
        assertEquals(
                "Message " + MESSAGE_ID
                        + " for a sequence whose scope or name is wrong is refused and goes to the queue"
                        + " numbering-requests-poison: urn:problem-type:numera:invalid-request. It has a field that is no"
                        + " field of a batch: it has id, scope, name, date, reserve, and keys or count.",
                lines.getAllValues().get(2));
    }

    @Test
    void aResultThatCannotBeSentIsThrown() {
        doThrow(new StoreFailure("The queue is down.", true, null))
                .when(results)
                .send(anyString());

        assertThrows(
                NumberBatchFunction.NotNow.class,
                () -> function.numberBatch(TWO_KEYS, MESSAGE_ID, "1", INSERTED, context));
        assertEquals(List.of(), sent);
    }

    @Test
    void aPoisonCopyThatCannotBeSentIsThrown() {
        doThrow(new StoreFailure("The queue is down.", true, null)).when(poison).send(anyString());

        assertThrows(StoreFailure.class, () -> function.numberBatch("[]", MESSAGE_ID, "1", INSERTED, context));
    }

    @Test
    void partOfAnUploadIsNumberedBeforeTheNextOneIsRequested() {
        when(uploads.work(UPLOAD, 1)).thenAnswer(call -> {
            sent.add("numbered 1");
            return OptionalInt.of(2);
        });

        function.numberBatch(new QueueMessage.OfPart(UPLOAD, 1).toMessage(), MESSAGE_ID, "1", INSERTED, context);

        assertEquals(
                List.of(
                        "numbered 1",
                        "request {\"upload\":\"0123456789abcdef0123456789abcdef\",\"scope\":\"App1\","
                                + "\"name\":\"order\",\"part\":2}"),
                sent);
    }

    @Test
    void lastPartOfAnUploadRequestsNothingAndAnswersNothing() {
        when(uploads.work(UPLOAD, 7)).thenReturn(OptionalInt.empty());

        function.numberBatch(new QueueMessage.OfPart(UPLOAD, 7).toMessage(), MESSAGE_ID, "1", INSERTED, context);

        assertEquals(List.of(), sent);
    }

    @Test
    void failedRequestForAPartIsThrown() {
        when(uploads.work(UPLOAD, 1)).thenReturn(OptionalInt.of(2));
        doThrow(new StoreFailure("The queue is down.", true, null))
                .when(requests)
                .send(anyString());

        assertThrows(
                NumberBatchFunction.NotNow.class,
                () -> function.numberBatch(
                        new QueueMessage.OfPart(UPLOAD, 1).toMessage(), MESSAGE_ID, "1", INSERTED, context));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"upload\": \"0123456789abcdef0123456789abcdef\", \"scope\": \"App1\", \"name\": \"order\"}",
                "{\"upload\": \"0123456789abcdef0123456789abcdef\", \"scope\": \"App1\", \"name\": \"order\", \"part\": \"1\"}",
                "{\"upload\": \"0123456789abcdef0123456789abcdef\", \"scope\": \"App1\", \"part\": 1}",
                "{\"upload\": \"../..\", \"scope\": \"App1\", \"name\": \"order\", \"part\": 1}",
                "{\"upload\": 7, \"scope\": \"App1\", \"name\": \"order\", \"part\": 1}"
            })
    void unrequestedPartIsPoison(String message) {
        function.numberBatch(message, MESSAGE_ID, "1", INSERTED, context);

        assertEquals(List.of("poison " + message), sent);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
