package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.azure.MessageQueue;
import dev.numera.azure.StorageAccount;
import dev.numera.functions.App;
import dev.numera.functions.http.Requests;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.lists.Upload;
import dev.numera.sequences.lists.Uploads;
import dev.numera.sequences.numbering.Allocator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The fingerprint of an upload, which detects another list under the same key. Two requests with different meanings
 * must not share a fingerprint.
 */
class UploadBatchFunctionTest {
    private static final String LIST = "null,b\n1,2026-11-21\n";

    private final App app = mock(App.class);
    private final List<String> fingerprints = new ArrayList<>();

    @BeforeEach
    void wire() {
        Uploads uploads = mock();
        when(app.uploads()).thenReturn(uploads);
        Sequences sequences = mock();
        when(app.sequences()).thenReturn(sequences);
        when(sequences.allocator()).thenReturn(mock(Allocator.class));
        StorageAccount storage = mock();
        when(app.storage()).thenReturn(storage);
        when(storage.queue(anyString())).thenReturn(mock(MessageQueue.class));
        when(uploads.accept(any(), any(), any(), any())).thenAnswer(call -> {
            fingerprints.add(call.getArgument(1));
            Upload.Id id = call.getArgument(0);
            Supplier<Upload.Content> content = call.getArgument(2);
            return new Upload(
                    id,
                    call.getArgument(1),
                    Instant.EPOCH,
                    content.get().columns(),
                    null,
                    1,
                    1,
                    new Upload.Progress(0, 0, 0, 0),
                    Instant.EPOCH,
                    null);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "?keyColumn=null, ''",
        "?keyColumn=b, ?keyColumn=b&dateColumn=b",
        "?keyColumn=a%0Ab&dateColumn=c, ?keyColumn=a&dateColumn=b%0Ac",
    })
    void otherColumnsAreAnotherRequest(String one, String other) {
        send(one, "text/csv", "null,\"a\nb\",a,\"b\nc\",c,b\n1,1,1,2026-11-21,2026-11-21,2026-11-21\n");
        send(other, "text/csv", "null,\"a\nb\",a,\"b\nc\",c,b\n1,1,1,2026-11-21,2026-11-21,2026-11-21\n");

        assertNotEquals(fingerprints.get(0), fingerprints.get(1));
    }

    @Test
    void anotherBodyOrTypeIsAnotherRequest() {
        send("", "text/csv", LIST);
        send("", "text/csv", LIST + "2,2026-11-21\n");
        send("", "text/plain", LIST);

        assertEquals(3, fingerprints.stream().distinct().count());
    }

    @Test
    void theSameRequestIsTheSame() {
        send("?keyColumn=b&dateColumn=b", "text/csv", LIST);
        send("?dateColumn=b&keyColumn=b", "text/csv", LIST);

        assertEquals(fingerprints.get(0), fingerprints.get(1));
    }

    @Test
    void theCharsetOfATypeIsNoOtherRequest() {
        send("", "text/csv", LIST);
        send("", "Text/CSV; charset=utf-8", LIST);

        assertEquals(fingerprints.get(0), fingerprints.get(1));
    }

    /** The same column name in one more parameter has another meaning. */
    @Test
    void otherIgnoredColumnsAreAnotherRequest() {
        send("?keyColumn=null", "text/csv", LIST);
        send("?keyColumn=null&ignore=b", "text/csv", LIST);

        assertNotEquals(fingerprints.get(0), fingerprints.get(1));
    }

    private void send(String query, String type, String body) {
        HttpRequestMessage<Optional<String>> request =
                Requests.of("/api/sequences/App1/order/batches" + query, body, Map.of("content-type", type));
        assertEquals(
                202,
                new ListFunctions(app).uploadBatch(request, "App1", "order").getStatusCode());
    }
}
