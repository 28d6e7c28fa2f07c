package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.azure.functions.ExecutionContext;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.TestClock;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.json.Fields;
import dev.numera.json.Json;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import dev.numera.sequences.lists.ListWork;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A batch of thousands of void numbers. Its refusal once contained all their texts, which no message can hold, so the
 * batch was delivered again and again, each time with another copy in the poison queue.
 */
class VoidBatchTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final SequenceName NAME = new SequenceName("shop", "voucher");

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final Sequences sequences =
            TestSequences.over(memory).with(TestClock.standing(NOW)).start();
    private final ListWork batches = new ListWork(sequences.allocator(), null);
    private final App app = mock(App.class);
    private final StorageAccount storage = mock(StorageAccount.class);
    private final ExecutionContext context = mock(ExecutionContext.class);
    private final List<String> results = new ArrayList<>();
    private final List<String> poison = new ArrayList<>();

    @BeforeEach
    void wire() {
        MessageQueue resultQueue = queue(results);
        MessageQueue poisonQueue = queue(poison);
        when(app.batches()).thenReturn(batches);
        when(app.storage()).thenReturn(storage);
        when(storage.queue(Queues.RESULTS)).thenReturn(resultQueue);
        when(storage.queue(Queues.POISON)).thenReturn(poisonQueue);
        when(context.getLogger()).thenReturn(mock(Logger.class));
    }

    private static MessageQueue queue(List<String> messages) {
        MessageQueue queue = mock(MessageQueue.class);
        doAnswer(call -> {
                    String text = call.getArgument(0);
                    if (text.getBytes(StandardCharsets.UTF_8).length > MessageQueue.MAX_MESSAGE_BYTES) {
                        throw new StoreFailure("The message is too large.", false, null);
                    }
                    return messages.add(text);
                })
                .when(queue)
                .send(anyString());
        return queue;
    }

    private void takeAndVoid(int count) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "VOUCHER-{n:12}"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest("batch-8", count, null)))
                .results()
                .get(0)
                .orThrow();
        UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "batch-8", "spoilt", null);
    }

    private static List<NumberRequest> batch(int count) {
        return List.of(new NumberRequest("batch-8", count, null));
    }

    @Test
    void aBatchOfManyVoidNumbersIsRejectedOnceWithoutTheirTexts() throws JsonProcessingException {
        takeAndVoid(5_000);

        new NumberBatchFunction(app)
                .numberBatch(
                        "{\"id\": \"batch-8\", \"scope\": \"shop\", \"name\": \"voucher\", \"count\": 5000}",
                        "6f9619ff-8b86-4011-b42d-00c04fc964ff",
                        "1",
                        "\"2026-11-21T12:40:00Z\"",
                        context);

        assertEquals(1, poison.size());
        assertEquals(1, results.size());
        JsonNode result = Json.read(results.get(0));
        assertEquals("rejected", result.get("status").textValue());
        assertEquals(
                "{\"key\":\"batch-8\",\"first\":1,\"last\":5000,\"count\":5000,\"increment\":1,\"status\":\"void\","
                        + "\"reason\":\"spoilt\",\"statusAt\":\"2026-11-21T10:00:00Z\"}",
                result.at("/problem/allocation").toString());
    }

    @Test
    void aForecastOfAVoidKeyHasNoTexts() {
        takeAndVoid(5_000);

        ProblemException problem = batches.foreseen(NAME, batch(5_000), NOW).orElseThrow();

        assertTrue(Fields.of(problem).at("/allocation/texts").isMissingNode());
    }

    @Test
    void textOfASingleVoidedNumberIsReturned() {
        takeAndVoid(1);

        ProblemException problem = batches.foreseen(NAME, batch(1), NOW).orElseThrow();

        assertEquals(
                "VOUCHER-000000000001",
                Fields.of(problem).at("/allocation/texts/0").textValue());
    }
}
