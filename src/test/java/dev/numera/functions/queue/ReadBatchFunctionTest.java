package dev.numera.functions.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.core.model.SequenceName;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.functions.http.Requests;
import dev.numera.functions.http.lists.ListFunctions;
import dev.numera.json.RequestBody;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that wait for an upload, which restart it if its message is lost. */
class ReadBatchFunctionTest {
    private static final Upload.Id ID =
            new Upload.Id(new SequenceName("App1", "order"), Upload.Kind.BATCH, "0123456789abcdef0123456789abcdef");
    private static final ListColumns KEYS = ListColumns.ofKeys(null, 1);
    private static final Upload PENDING = new Upload(
            ID, "f", Instant.EPOCH, KEYS, null, 600, 2, new Upload.Progress(1, 490, 490, 0), Instant.EPOCH, null);

    private final App app = mock(App.class);
    private final Uploads uploads = mock(Uploads.class);
    private final MessageQueue requests = mock(MessageQueue.class);

    @BeforeEach
    void wire() {
        StorageAccount storage = mock();
        when(app.uploads()).thenReturn(uploads);
        when(app.storage()).thenReturn(storage);
        when(storage.queue(Queues.REQUESTS)).thenReturn(requests);
        when(uploads.get(any())).thenReturn(PENDING);
    }

    @Test
    void messageOfAStalledUploadIsSentAgain() {
        when(uploads.stalledPart(PENDING)).thenReturn(OptionalInt.of(2));

        assertEquals("pending", read());

        verify(requests).send(new QueueMessage.OfPart(ID, 2).toMessage());
    }

    @Test
    void anUploadThatMovesIsOnlyRead() {
        when(uploads.stalledPart(PENDING)).thenReturn(OptionalInt.empty());

        assertEquals("pending", read());

        verifyNoInteractions(requests);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "999, 0, 1", "5000, 0, 6", "5000, 4500, 1", "100000, 0, 30", "100000, 90000, 11"})
    void theMoreIsLeftTheLaterItIsReadAgain(int items, int done, String seconds) {
        Upload upload = new Upload(
                ID,
                PENDING.fingerprint(),
                PENDING.sentAt(),
                PENDING.columns(),
                null,
                items,
                200,
                new Upload.Progress(done / 500, done, done, 0),
                PENDING.movedAt(),
                null);
        when(uploads.get(ID)).thenReturn(upload);
        when(uploads.stalledPart(upload)).thenReturn(OptionalInt.empty());

        assertEquals(seconds, answer().getHeader("Retry-After"));
    }

    private String read() {
        return RequestBody.object((String) answer().getBody(), 10_000)
                .get("status")
                .textValue();
    }

    private HttpResponseMessage answer() {
        return new ListFunctions(app)
                .readBatch(
                        Requests.of("/api/sequences/App1/order/batches/" + ID.id(), null, Map.of()),
                        "App1",
                        "order",
                        ID.id());
    }
}
