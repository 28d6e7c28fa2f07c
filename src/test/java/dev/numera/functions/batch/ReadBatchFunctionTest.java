package dev.numera.functions.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import dev.numera.batch.Layout;
import dev.numera.batch.Upload;
import dev.numera.batch.Uploads;
import dev.numera.functions.App;
import dev.numera.functions.RequestBody;
import dev.numera.functions.Requests;
import dev.numera.model.SequenceName;
import dev.numera.storage.MessageQueue;
import dev.numera.storage.StorageAccount;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for an upload restarts it when its message is lost. */
class ReadBatchFunctionTest {
    private static final Upload.Id ID =
            new Upload.Id(new SequenceName("App1", "order"), Upload.Kind.BATCH, "0123456789abcdef0123456789abcdef");
    private static final Layout KEYS = Layout.ofKeys(null, 1);
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

    private String read() {
        Object body = new ListFunctions(app)
                .readBatch(
                        Requests.of("/api/sequences/App1/order/batches/" + ID.id(), null, Map.of()),
                        "App1",
                        "order",
                        ID.id())
                .getBody();
        return RequestBody.object((String) body).get("status").textValue();
    }
}
