package dev.numera.functions.http;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatusType;
import dev.numera.core.retry.CharacterBudget;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.mockito.Answers;

/** Requests as the host passes them to functions, without a host. */
public final class Requests {
    private Requests() {}

    /** @param headers by their names in lower case */
    public static HttpRequestMessage<Optional<String>> of(
            String pathAndQuery, String body, Map<String, String> headers) {
        HttpRequestMessage<Optional<String>> request = mock();
        when(request.getUri()).thenReturn(URI.create("http://localhost" + pathAndQuery));
        when(request.getHeaders()).thenReturn(headers);
        when(request.getBody()).thenReturn(Optional.ofNullable(body));
        when(request.createResponseBuilder(any(HttpStatusType.class)))
                .thenAnswer(call -> response(call.getArgument(0)));
        return request;
    }

    /** Returns a call with this request, whose characters count against the share. */
    public static HttpCall call(HttpRequestMessage<Optional<String>> request, CharacterBudget.Share share) {
        return new HttpCall(request, share, false);
    }

    private static HttpResponseMessage.Builder response(HttpStatusType status) {
        HttpResponseMessage response = mock();
        when(response.getStatusCode()).thenReturn(status.value());
        HttpResponseMessage.Builder builder = mock(Answers.RETURNS_SELF);
        when(builder.header(any(), any())).thenAnswer(call -> {
            when(response.getHeader(call.getArgument(0))).thenReturn(call.getArgument(1));
            return builder;
        });
        when(builder.body(any())).thenAnswer(call -> {
            when(response.getBody()).thenReturn(call.getArgument(0));
            return builder;
        });
        when(builder.build()).thenReturn(response);
        return builder;
    }
}
