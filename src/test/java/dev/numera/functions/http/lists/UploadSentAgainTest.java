package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.WriteResult;
import dev.numera.functions.App;
import dev.numera.functions.http.Requests;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.lists.ListWork;
import dev.numera.sequences.lists.OldUploads;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.UploadStore;
import dev.numera.sequences.lists.Uploads;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A list that is uploaded again under its key after the format began to show dates. A new list needs a parameter for
 * its column of dates then. The known list was once refused because it has none.
 */
class UploadSentAgainTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final SequenceName NAME = new SequenceName("App1", "order");
    private static final String LIST = "cart,day\na,2026-11-01\n";

    private static final Map<String, String> JSON = Map.of("content-type", "application/json");

    private final App app = mock(App.class);
    private final UploadStore store = mock(UploadStore.class);
    private final Sequences sequences =
            TestSequences.over(new MemoryCounterStore()).start();

    @BeforeEach
    void wire() {
        StorageAccount storage = mock(StorageAccount.class);
        when(app.sequences()).thenReturn(sequences);
        when(app.storage()).thenReturn(storage);
        when(storage.queue(anyString())).thenReturn(mock(MessageQueue.class));
        when(app.uploads())
                .thenReturn(new Uploads(
                        store,
                        new ListWork(sequences.allocator(), null),
                        new OldUploads(store, () -> NOW, Duration.ofDays(30)),
                        () -> NOW));
        when(store.find(any())).thenReturn(Optional.empty());
        when(store.insert(any())).thenAnswer(call -> {
            Upload inserted = call.getArgument(0);
            when(store.find(inserted.id())).thenReturn(Optional.of(inserted));
            return new WriteResult.Won("version");
        });
        format("F-{n}", Precondition.ABSENT);
    }

    @Test
    void knownUploadKeepsItsLocationWhilePending() {
        HttpResponseMessage first = send("U1", LIST);

        format("F-{yyyy}-{n}", Precondition.PRESENT);

        assertEquals(first.getHeader("Location"), send("U1", LIST).getHeader("Location"));
        assertEquals(400, send("U2", LIST).getStatusCode(), "a new upload states the column of its dates");
    }

    @Test
    void knownUploadKeepsItsLocationWhenDone() {
        HttpResponseMessage first = send("U1", LIST);
        Upload sent = store.find(idOf("U1")).orElseThrow();
        when(store.find(idOf("U1"))).thenReturn(Optional.of(done(sent)));

        format("F-{yyyy}-{n}", Precondition.PRESENT);

        assertEquals(first.getHeader("Location"), send("U1", LIST).getHeader("Location"));
    }

    @Test
    void anotherListUnderAKnownKeyIsRefusedUnread() {
        send("U1", LIST);

        assertEquals(422, send("U1", "no list at all").getStatusCode());
    }

    @Test
    void anotherListUnderTheIdOfABodyIsRefusedByThatId() {
        post("", "{\"id\": \"U1\", \"count\": 5}", JSON);

        HttpResponseMessage other = post("", "{\"id\": \"U1\", \"count\": 6}", JSON);

        assertEquals(422, other.getStatusCode());
        assertTrue(other.getBody().toString().contains("or the id of the body"), () -> "" + other.getBody());
    }

    private void format(String format, Precondition precondition) {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.FORMAT, format)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        precondition,
                        ChangeNote.NONE);
    }

    private HttpResponseMessage send(String key, String list) {
        return post("?keyColumn=cart", list, Map.of("content-type", "text/csv", "idempotency-key", key));
    }

    private HttpResponseMessage post(String query, String list, Map<String, String> headers) {
        return new ListFunctions(app)
                .uploadBatch(Requests.of("/api/sequences/App1/order/batches" + query, list, headers), "App1", "order");
    }

    private static Upload.Id idOf(String key) {
        return Upload.Id.ofKey(NAME, Upload.Kind.BATCH, key);
    }

    private static Upload done(Upload upload) {
        return new Upload(
                upload.id(),
                upload.fingerprint(),
                upload.sentAt(),
                upload.columns(),
                upload.actor(),
                upload.items(),
                upload.parts(),
                new Upload.Progress(1, 1, 1, 0),
                upload.movedAt(),
                "version");
    }
}
