package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpResponse;
import com.azure.storage.queue.QueueClient;
import dev.numera.core.retry.StoreFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MessageQueueTest {
    private static final RuntimeException BROKEN = new UncheckedIOException(new IOException("Connection reset"));

    private final QueueClient client = mock();
    private final MessageQueue queue = new MessageQueue(client);

    @Test
    void sendsOnceMoreAfterABrokenConnection() {
        when(client.sendMessage(anyString())).thenThrow(BROKEN).thenReturn(null);

        queue.send("result");

        verify(client, times(2)).sendMessage("result");
    }

    @Test
    void failsAfterTheSecondTime() {
        when(client.sendMessage(anyString())).thenThrow(BROKEN);

        assertThrows(StoreFailure.class, () -> queue.send("result"));

        verify(client, times(2)).sendMessage("result");
    }

    @Test
    void sendsOnceWhereTheReasonStays() {
        HttpResponse refused = mock();
        when(refused.getStatusCode()).thenReturn(403);
        when(client.sendMessage(anyString())).thenThrow(new HttpResponseException("No role.", refused));

        assertThrows(StoreFailure.class, () -> queue.send("result"));

        verify(client, times(1)).sendMessage("result");
    }

    /** If two copies waited, both would receive numbers and answers. */
    @Test
    void sendsAHiddenMessageOnce() {
        when(client.sendMessageWithResponse(anyString(), any(), any(), any(), any()))
                .thenThrow(BROKEN);

        assertThrows(StoreFailure.class, () -> queue.sendHidden("copy", Duration.ofSeconds(1)));

        verify(client, times(1)).sendMessageWithResponse(anyString(), any(), any(), any(), any());
    }
}
