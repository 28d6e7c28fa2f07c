package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import org.junit.jupiter.api.Test;

/** Keeps the status and ETag that the client drops, and stops bodies that the client cannot read. */
class RawResponseTest {
    private final RawResponse answer = new RawResponse();
    private final HttpResponse response = mock();

    @Test
    void readsTheStatusAndTheWholeETag() {
        answered(204, null);
        when(response.getHeaderValue(HttpHeaderName.ETAG)).thenReturn("W/\"1\"");
        process();
        assertEquals(204, answer.status());
        assertEquals("W/\"1\"", answer.etag());
    }

    @Test
    void readsTheFirstPartOfATransaction() {
        answered(202, "multipart/mixed; boundary=b");
        when(response.buffer()).thenReturn(response);
        when(response.getBodyAsBinaryData())
                .thenReturn(BinaryData.fromString("--b\r\nHTTP/1.1 412 Precondition Failed\r\nETag: W/\"2\"\r\n\r\n"
                        + "--b\r\nHTTP/1.1 204 No Content\r\nETag: W/\"3\"\r\n"));
        process();
        assertEquals(412, answer.status());
        assertEquals("W/\"2\"", answer.etag());
    }

    @Test
    void bodiesThatAreNotTheServicesOwnAreStopped() {
        answered(503, "text/html");
        assertThrows(HttpResponseException.class, this::process);
        answered(200, "text/html");
        assertThrows(HttpResponseException.class, this::process);
        answered(200, "application/json");
        process();
        assertEquals(200, answer.status());
    }

    private void answered(int status, String type) {
        when(response.getStatusCode()).thenReturn(status);
        when(response.getHeaderValue(HttpHeaderName.CONTENT_TYPE)).thenReturn(type);
    }

    private void process() {
        HttpPipelineCallContext context = mock();
        when(context.getData(any())).thenAnswer(call -> answer.context().getData(call.getArgument(0)));
        HttpPipelineNextSyncPolicy next = mock();
        when(next.processSync()).thenReturn(response);
        new RawResponse.Policy().processSync(context, next);
    }
}
