package dev.numera.bench.http;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatus;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.Optional;

/** A function that does nothing, to measure the cost of the local host itself. */
public final class EmptyFunction {
    @FunctionName("Empty")
    public HttpResponseMessage empty(
            @HttpTrigger(
                            name = "request",
                            methods = HttpMethod.POST,
                            route = "empty",
                            authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return request.createResponseBuilder(HttpStatus.OK)
                .header("Content-Type", "application/json")
                .body("{}")
                .build();
    }
}
