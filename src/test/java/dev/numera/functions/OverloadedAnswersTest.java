package dev.numera.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.http.AllocateFunction;
import dev.numera.functions.http.Requests;
import dev.numera.functions.http.ledger.LedgerFunctions;
import dev.numera.functions.http.lists.ListFunctions;
import dev.numera.functions.http.lists.PoisonFunctions;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls to an instance that has no room left for characters. A call that needs room is refused and changes nothing. */
class OverloadedAnswersTest {
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final String PATH = "/api/sequences/App1/order";

    private final App app = mock(App.class);
    private final Sequences sequences =
            TestSequences.over(new MemoryCounterStore()).start();
    private final CharacterBudget.Share others = CharacterBudget.OF_THE_PROCESS.open();

    @BeforeEach
    void define() {
        when(app.sequences()).thenReturn(sequences);
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY.with(DefinitionField.FORMAT, "O-{n:6}"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        assertEquals(200, next("?count=10000&key=known").getStatusCode());
    }

    @AfterEach
    void noCallKeepsItsShare() {
        others.close();
        assertEquals(0, CharacterBudget.OF_THE_PROCESS.held());
    }

    private void leave(long characters) {
        others.hold(CharacterBudget.OF_THE_PROCESS.characters() - characters);
    }

    @Test
    void numbersAreNotAllocatedWithoutRoomForTheirTexts() {
        leave(100_000);
        requireOverloaded(next("?count=10000"));
        requireOverloaded(next("?count=10000&key=known"));
        assertEquals(200, next("?count=100").getStatusCode(), "a short answer fits");
        others.hold(100_000);
        assertEquals(200, next("?count=100").getStatusCode(), "whatever others hold");
        others.close();

        assertTrue(next("").getBody().toString().contains("\"first\":10201,"), "nothing was consumed");
    }

    @Test
    void aLedgerIsNotReadWithoutRoomForItsPage() {
        leave(100_000);
        requireOverloaded(ledger("application/json"));
        requireOverloaded(ledger("text/csv"));
        others.close();

        assertEquals(200, ledger("application/json").getStatusCode());
        assertEquals(200, ledger("text/csv").getStatusCode());
    }

    @Test
    void aStatusIsNotChangedWithoutRoomForTheNumbers() {
        leave(100_000);
        requireOverloaded(makeVoid());
        others.close();
        assertTrue(next("?count=10000&key=known").getBody().toString().contains("\"replayed\":true"));

        assertEquals(200, makeVoid().getStatusCode());
        leave(100_000);
        requireOverloaded(next("?count=10000&key=known"));
        requireOverloaded(makeVoid());
    }

    @Test
    void anUploadIsNotParsedWithoutRoomForIt() {
        leave(100);
        HttpRequestMessage<Optional<String>> list =
                Requests.of(PATH + "/batches", "key\n".repeat(1_000), type("text/plain"));
        requireOverloaded(new ListFunctions(app).uploadBatch(list, "App1", "order"));
    }

    @Test
    void poisonMessagesAreNotJudgedWithoutRoomForThem() {
        StorageAccount storage = mock();
        MessageQueue poison = mock();
        when(app.storage()).thenReturn(storage);
        when(storage.queue(Queues.POISON)).thenReturn(poison);
        when(poison.peek())
                .thenReturn(Collections.nCopies(
                        32, new MessageQueue.Message("id", null, "x".repeat(60_000), Instant.EPOCH, Instant.EPOCH)));
        HttpRequestMessage<Optional<String>> request = Requests.of("/api/poison", null, Map.of());
        leave(1_000_000);

        requireOverloaded(new PoisonFunctions(app).listPoison(request));
        others.close();

        assertEquals(200, new PoisonFunctions(app).listPoison(request).getStatusCode());
    }

    @Test
    void anUploadThatNeverFitsIsTooLarge() {
        String cells = ",".repeat((int) Math.min(33_000_000, CharacterBudget.OF_THE_PROCESS.characters() / 9 + 10));
        HttpRequestMessage<Optional<String>> list = Requests.of(PATH + "/batches", cells, type("text/csv"));

        HttpResponseMessage answer = new ListFunctions(app).uploadBatch(list, "App1", "order");

        assertEquals(cells.length() == 33_000_000 ? 400 : 413, answer.getStatusCode(), () -> "" + answer.getBody());
    }

    private HttpResponseMessage next(String query) {
        return new AllocateFunction(app).allocate(Requests.of(PATH + "/next" + query, null, Map.of()), "App1", "order");
    }

    private HttpResponseMessage ledger(String accept) {
        return new LedgerFunctions(app)
                .readLedger(Requests.of(PATH + "/ledger", null, Map.of("accept", accept)), "App1", "order");
    }

    private HttpResponseMessage makeVoid() {
        String body = "{\"key\": \"known\", \"status\": \"void\", \"reason\": \"spoilt\"}";
        return new LedgerFunctions(app).changeStatus(Requests.of(PATH + "/status", body, Map.of()), "App1", "order");
    }

    private static Map<String, String> type(String contentType) {
        return Map.of("content-type", contentType);
    }

    private static void requireOverloaded(HttpResponseMessage answer) {
        assertEquals(503, answer.getStatusCode());
        assertEquals("1", answer.getHeader("Retry-After"));
        String body = answer.getBody().toString();
        assertTrue(body.contains("urn:problem-type:numera:overloaded"), body);
        assertTrue(body.contains("answers and uploads in progress"), body);
    }
}
